import { BLANK } from '../php-trim.js';
import { isObject, type Json, type JsonObject } from './json.js';

/** One block as it stands in a post's text; `blockName` is null for text outside of blocks. */
export interface ParsedBlock {
  blockName: string | null;
  attrs: JsonObject;
  /** The block's own HTML, with the inner blocks at their places. */
  content: (string | ParsedBlock)[];
}

interface Delimiter {
  kind: 'open' | 'close' | 'void';
  name: string;
  attrs: JsonObject;
  start: number;
  end: number;
}

const HEAD = new RegExp(`<!--${BLANK}+(/)?wp:([a-z][a-z\\d_-]*(?:/[a-z][a-z\\d_-]*)?)${BLANK}+`, 'y');
const TAIL = /(\/)?-->/y;
const JSON_TAIL = new RegExp(`\\}${BLANK}+(/)?-->`, 'g');
const MAX_BLOCK_DEPTH = 200;
const MAX_JSON_DEPTH = 512;

/** Whether a text counts as made of blocks: a literal test, which also holds for a broken delimiter. */
export function hasBlocks(content: string): boolean {
  return content.includes('<!-- wp:');
}

/**
 * The blocks of a text in order, never failing: text outside of them becomes nameless blocks, an unclosed block reaches
 * to the end, and after a closing delimiter without its block all is text. Delimiters nested too deep are dropped.
 */
export function parseBlocks(content: string): ParsedBlock[] {
  const root: ParsedBlock = { blockName: null, attrs: {}, content: [] };
  const open = [root];
  let tooDeep = 0;
  let position = 0;
  for (const delimiter of delimiters(content)) {
    const parent = open.at(-1) ?? root;
    if (delimiter.kind === 'close' && open.length === 1) break;
    addHtml(parent, content.slice(position, delimiter.start));
    position = delimiter.end;
    if (delimiter.kind === 'close') {
      if (tooDeep > 0) tooDeep--;
      else open.pop();
    } else if (open.length > MAX_BLOCK_DEPTH) {
      if (delimiter.kind === 'open') tooDeep++;
    } else {
      const block = { blockName: delimiter.name, attrs: delimiter.attrs, content: [] };
      parent.content.push(block);
      if (delimiter.kind === 'open') open.push(block);
    }
  }
  addHtml(open.at(-1) ?? root, content.slice(position));
  return root.content.map((piece) =>
    typeof piece === 'string' ? { blockName: null, attrs: {}, content: [piece] } : piece,
  );
}

/** The blocks that stand in a block. */
export function innerBlocksOf({ content }: ParsedBlock): ParsedBlock[] {
  return content.filter((piece) => typeof piece !== 'string');
}

function addHtml({ content }: ParsedBlock, html: string): void {
  const before = content.at(-1);
  if (typeof before === 'string') content[content.length - 1] = before + html;
  else if (html !== '') content.push(html);
}

function* delimiters(content: string): Generator<Delimiter> {
  const jsonEnd = jsonEndFinder(content);
  for (let start = content.indexOf('<!--'); start >= 0; start = content.indexOf('<!--', start)) {
    const found = delimiterAt(content, start, jsonEnd);
    if (found) yield found;
    start = found?.end ?? start + 4;
  }
}

function delimiterAt(
  content: string,
  start: number,
  jsonEnd: (from: number) => RegExpExecArray | null,
): Delimiter | undefined {
  HEAD.lastIndex = start;
  const head = HEAD.exec(content);
  if (!head) return undefined;
  const afterHead = start + head[0].length;
  const hasJson = content[afterHead] === '{';
  TAIL.lastIndex = afterHead;
  const tail = hasJson ? jsonEnd(afterHead) : TAIL.exec(content);
  if (!tail) return undefined;
  const name = head[2] ?? '';
  return {
    kind: tail[1] ? 'void' : head[1] ? 'close' : 'open',
    name: name.includes('/') ? name : `core/${name}`,
    attrs: hasJson ? parseAttributes(content.slice(afterHead, tail.index + 1)) : {},
    start,
    end: tail.index + tail[0].length,
  };
}

/** Finds the next end of attributes; remembers it, so that many unclosed braces do not search the same text again. */
function jsonEndFinder(content: string): (from: number) => RegExpExecArray | null {
  let last: RegExpExecArray | null | undefined;
  return (from) => {
    if (last === undefined || (last && last.index < from)) {
      JSON_TAIL.lastIndex = from;
      last = JSON_TAIL.exec(content);
    }
    return last;
  };
}

function parseAttributes(json: string): JsonObject {
  if (isDeeperThan(json, MAX_JSON_DEPTH)) return {};
  try {
    const value = JSON.parse(json) as Json;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Whether brackets nest so deep that PHP refuses the JSON; brackets inside strings may count, which is harmless. */
function isDeeperThan(json: string, limit: number): boolean {
  let depth = 0;
  for (const [bracket] of json.matchAll(/[{}[\]]/g)) {
    depth += bracket === '{' || bracket === '[' ? 1 : -1;
    if (depth > limit) return true;
  }
  return false;
}
