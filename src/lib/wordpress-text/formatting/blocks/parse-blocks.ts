import { hash } from 'node:crypto';
import { serialize, toPhp } from '../../php-serialize.js';
import { asPhpJson, BLANK, execAt, hasLoneSurrogate } from '../php-strings.js';
import type { RenderContext } from '../render-context.js';

/** A parsed block; `blockName` is null for text outside of blocks. */
export interface ParsedBlock {
  blockName: string | null;
  attrs: JsonObject;
  /** The block's HTML pieces and inner blocks, in order. */
  content: (string | ParsedBlock)[];
}

/** Renders a block; `html` is its saved HTML with the inner blocks rendered. */
export type BlockRenderer = (
  html: string,
  block: ParsedBlock,
  ctx: RenderContext,
  parent?: ParsedBlock,
) => string;

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

/** Whether a text has blocks, as `has_blocks()` decides: by a literal test, also true for a broken delimiter. */
export function hasBlocks(content: string): boolean {
  return content.includes('<!-- wp:');
}

/** Parses blocks and never fails: text outside is a nameless block, an unclosed block goes to the end. */
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

export function innerBlocksOf({ content }: ParsedBlock): ParsedBlock[] {
  return content.filter((piece) => typeof piece !== 'string');
}

function addHtml({ content }: ParsedBlock, html: string): void {
  const before = content.at(-1);
  if (typeof before === 'string') content[content.length - 1] = before + html;
  else if (html !== '') content.push(html);
}

function* delimiters(content: string): Generator<Delimiter> {
  // Reused, so that many unclosed braces do not search the same text again.
  let jsonEnd: RegExpExecArray | null | undefined;
  for (let start = content.indexOf('<!--'), end: number; start >= 0; start = content.indexOf('<!--', end)) {
    end = start + 4;
    const head = execAt(HEAD, content, start);
    if (!head) continue;
    const afterHead = HEAD.lastIndex;
    const hasJson = content[afterHead] === '{';
    if (hasJson && (jsonEnd === undefined || (jsonEnd && jsonEnd.index < afterHead)))
      jsonEnd = execAt(JSON_TAIL, content, afterHead);
    const tail = hasJson ? jsonEnd : execAt(TAIL, content, afterHead);
    if (!tail) continue;
    end = tail.index + tail[0].length;
    const [, slash, name = ''] = head;
    yield {
      kind: tail[1] ? 'void' : slash ? 'close' : 'open',
      name: name.includes('/') ? name : `core/${name}`,
      attrs: hasJson ? parseAttributes(content.slice(afterHead, tail.index + 1)) : {},
      start,
      end,
    };
  }
}

function parseAttributes(json: string): JsonObject {
  try {
    const value = isTooDeep(json) ? {} : (JSON.parse(json) as Json);
    return isObject(value) && !hasLoneSurrogate(json, value) ? value : {};
  } catch {
    return {};
  }
}

/** Whether brackets nest too deep for PHP's JSON parser; counting those inside strings is harmless. */
function isTooDeep(json: string): boolean {
  let depth = 0;
  for (const [bracket] of json.matchAll(/[{}[\]]/g)) {
    depth += '{['.includes(bracket) ? 1 : -1;
    if (depth > MAX_JSON_DEPTH) return true;
  }
  return false;
}

/** A JSON value of a block comment. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of keys inside JSON; undefined when any step is missing. */
export function jsonAt(value: Json | undefined, ...path: string[]): Json | undefined {
  let current = value;
  for (const key of path)
    current = isObject(current) && Object.hasOwn(current, key) ? current[key] : undefined;
  return current;
}

/** The text at a path of keys inside JSON; undefined when there is none. */
export function textAt(value: Json | undefined, ...path: string[]): string | undefined {
  const found = jsonAt(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

/** The MD5 of a value as PHP's `serialize()` writes it, in hex. */
export function serializedMd5(value: Json): string {
  return hash('md5', serialize(toPhp(value)));
}

/** The MD5 of a value as PHP's `json_encode()` writes it (escaped slashes, ASCII only), in hex. */
export function jsonMd5(value: Json): string {
  return hash('md5', asPhpJson(JSON.stringify(emptyObjectsAsLists(value))));
}

/** PHP decodes `{}` to an empty array and encodes that as `[]`. */
function emptyObjectsAsLists(value: Json): Json {
  if (Array.isArray(value)) return value.map(emptyObjectsAsLists);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, emptyObjectsAsLists(item)]);
  return entries.length === 0 ? [] : Object.fromEntries(entries);
}
