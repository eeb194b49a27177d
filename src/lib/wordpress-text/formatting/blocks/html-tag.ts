import { execAt } from '../php-strings.js';

/** One tag inside a text, with positions in that text; names are lower-case. */
export interface HtmlTag {
  name: string;
  isClosing: boolean;
  /** Whether it is a void element (`<br>`) or self-closing. */
  isVoid: boolean;
  /** Values are raw (entities stay), empty without one. */
  attributes: { name: string; value: string; start: number; end: number }[];
  start: number;
  nameEnd: number;
  end: number;
}

const OPENING = /<(?:(!--)|(\/)?([a-z][^\s/>]*))/gi;
const ATTRIBUTE =
  /[\s/]*(?:([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)|(?=>)))?|(>))/y;
const RAW_TEXT = /^(?:script|style|textarea|title|xmp|iframe|noembed|noframes)$/;
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;

/** Yields the tags of a text in order, skipping comments and raw text elements (scripts …). */
export function* htmlTags(html: string): Generator<HtmlTag> {
  let position = 0;
  for (let found = execAt(OPENING, html, 0); found; found = execAt(OPENING, html, position)) {
    if (found[1]) {
      const end = html.indexOf('-->', found.index + 4);
      if (end < 0) return;
      position = end + 3;
      continue;
    }
    const tag = readTag(html, found);
    if (!tag) return;
    yield tag;
    position = tag.isClosing || !RAW_TEXT.test(tag.name) ? tag.end : rawTextEnd(html, tag);
  }
}

function readTag(html: string, opening: RegExpExecArray): HtmlTag | undefined {
  const name = (opening[3] ?? '').toLowerCase();
  const nameEnd = opening.index + opening[0].length;
  const attributes: HtmlTag['attributes'] = [];
  for (let found = execAt(ATTRIBUTE, html, nameEnd); found; found = ATTRIBUTE.exec(html)) {
    const [text, attribute = '', double, single, bare, closes] = found;
    const end = ATTRIBUTE.lastIndex;
    if (closes) {
      const isVoid = VOID.test(name) || html[end - 2] === '/';
      return { name, isClosing: opening[2] === '/', isVoid, attributes, start: opening.index, nameEnd, end };
    }
    const start = found.index + text.search(/[^\s/]/);
    attributes.push({ name: attribute.toLowerCase(), value: double ?? single ?? bare ?? '', start, end });
  }
  return undefined;
}

function rawTextEnd(html: string, tag: HtmlTag): number {
  return execAt(new RegExp(`</${tag.name}(?=[\\s/>])`, 'gi'), html, tag.end)?.index ?? html.length;
}

/** The first opening tag whose name matches, or the next ones by `index`; undefined without one. */
export function findTag(html: string, name = /^/, index = 0): HtmlTag | undefined {
  let left = index;
  for (const tag of htmlTags(html)) if (!tag.isClosing && name.test(tag.name) && left-- === 0) return tag;
  return undefined;
}

/** The raw value of an attribute; undefined when the tag lacks it. */
export function attributeOf(tag: HtmlTag, name: string): string | undefined {
  return tag.attributes.find((attribute) => attribute.name === name)?.value;
}

export function classesOf(tag: HtmlTag): string[] {
  return (attributeOf(tag, 'class') ?? '').split(/\s+/).filter((name) => name !== '');
}

/** Adds classes to a tag of a text after its own, without duplicates; returns the text unchanged without a tag. */
export function addClasses(html: string, tag: HtmlTag | undefined, classes: readonly string[]): string {
  if (!tag) return html;
  const present = classesOf(tag);
  const added = classes.filter((name) => !present.includes(name));
  return added.length === 0 ? html : setAttribute(html, tag, 'class', [...present, ...added].join(' '));
}

/** Sets an attribute of a tag of a text, a new one right after the tag's name; returns the text unchanged without a tag. */
export function setAttribute(html: string, tag: HtmlTag | undefined, name: string, value: string): string {
  if (!tag) return html;
  const written = `${name}="${value.replaceAll('"', '&quot;')}"`;
  const present = tag.attributes.find((attribute) => attribute.name === name);
  const { start, end } = present ?? { start: tag.nameEnd, end: tag.nameEnd };
  return `${html.slice(0, start)}${present ? '' : ' '}${written}${html.slice(end)}`;
}
