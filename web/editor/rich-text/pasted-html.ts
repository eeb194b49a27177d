import { elementsOf } from './stored-html.js';

/** Elements that styles stand for. */
const STYLES: readonly (readonly [tag: string, style: RegExp])[] = [
  ['strong', /(?:^|;)\s*font-weight\s*:\s*(?:bold|bolder|[6-9]00)\b/i],
  ['em', /(?:^|;)\s*font-style\s*:\s*(?:italic|oblique)\b/i],
  ['u', /(?:^|;)\s*text-decoration(?:-line)?\s*:[^;]*\bunderline\b/i],
  ['s', /(?:^|;)\s*text-decoration(?:-line)?\s*:[^;]*\bline-through\b/i],
];
const USUAL: Readonly<Record<string, string>> = { u: 'a', strong: 'h1, h2, h3, h4, h5, h6' };
const NORMAL_WEIGHT = /(?:^|;)\s*font-weight\s*:\s*(?:normal|[1-5]00)\b/i;
const NORMAL_STYLE = /(?:^|;)\s*font-style\s*:\s*normal\b/i;
/** The lowest level of headings that a text may have; the first is that of the page's title. */
const LOWEST = 4;
const LIST_LEVEL = /\bmso-list\s*:[^;]*\blevel([1-9])\b/i;

/**
 * Clipboard HTML of Google Docs and Word with elements in place of styles, and without attributes but those of
 * links. An inert document reads it, as the page's policy blanks style attributes of its own elements.
 */
export function cleanPasted(html: string): string {
  const body = elementsOf(html);
  dropUnseen(body);
  makeLists(body);
  fitHeadings(body);
  for (const element of [...body.querySelectorAll<HTMLElement>('*')].reverse()) simplify(element);
  for (const element of body.querySelectorAll('*'))
    for (const { name } of [...element.attributes])
      if (!(element.tagName === 'A' && name === 'href') && name !== 'data-pm-slice')
        element.removeAttribute(name);
  return body.innerHTML;
}

/** Drops comments, Word's own elements and what is no text. */
function dropUnseen(body: HTMLElement): void {
  const comments = body.ownerDocument.createNodeIterator(body, NodeFilter.SHOW_COMMENT);
  for (let node = comments.nextNode(); node; node = comments.nextNode()) (node as Comment).remove();
  for (const element of body.querySelectorAll('style, script, meta, link, title, xml')) element.remove();
}

/** Joins Word's list paragraphs, whose markers are text, to lists. */
function makeLists(body: HTMLElement): void {
  for (const paragraph of body.querySelectorAll<HTMLElement>('p[style*="mso-list" i]')) {
    const level = Number(LIST_LEVEL.exec(styleOf(paragraph))?.[1] ?? 0);
    if (level === 0) continue;
    const marker = paragraph.querySelector('[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]');
    const tag = /^[\da-z]+[.)]/i.test(marker?.textContent?.trim() ?? '') ? 'ol' : 'ul';
    marker?.remove();
    const item = body.ownerDocument.createElement('li');
    item.append(...paragraph.childNodes);
    listFor(paragraph, tag, level).append(item);
    paragraph.remove();
  }
}

/** Moves headings to the levels that a text may have, all of them by one if there is a title among them. */
function fitHeadings(body: HTMLElement): void {
  const by = body.querySelector('h1') ? 1 : 0;
  for (const heading of body.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6')) {
    const name = `h${Math.min(Number(heading.tagName.slice(1)) + by, LOWEST)}`;
    if (isOf(heading, name)) continue;
    const fitting = body.ownerDocument.createElement(name);
    fitting.append(...heading.childNodes);
    heading.replaceWith(fitting);
  }
}

/** The list before a paragraph that its item continues, at its level; a new one if there is none. */
function listFor(paragraph: HTMLElement, tag: 'ol' | 'ul', level: number): Element {
  const before = paragraph.previousElementSibling;
  let list = before?.hasAttribute('data-pasted') && (level > 1 || isOf(before, tag)) ? before : undefined;
  if (!list) {
    list = createList(paragraph, tag);
    paragraph.before(list);
  }
  for (let depth = 1; depth < level; depth += 1) {
    const item: Element | null = list.lastElementChild;
    if (!item) break;
    const inner: Element | null = item.querySelector(':scope > ol, :scope > ul');
    list = inner ?? createList(paragraph, tag);
    if (!inner) item.append(list);
  }
  return list;
}

const isOf = (list: Element, tag: string): boolean => list.tagName.toLowerCase() === tag;

function createList({ ownerDocument }: HTMLElement, tag: 'ol' | 'ul'): Element {
  const list = ownerDocument.createElement(tag);
  list.setAttribute('data-pasted', '');
  return list;
}

const styleOf = (element: Element): string => element.getAttribute('style') ?? '';

/** Replaces the styles of an element by elements, and unwraps those that mean nothing. */
function simplify(element: HTMLElement): void {
  const style = styleOf(element);
  const { tagName } = element;
  const isCancelled =
    (/^(?:B|STRONG)$/.test(tagName) && NORMAL_WEIGHT.test(style)) ||
    (/^(?:I|EM)$/.test(tagName) && NORMAL_STYLE.test(style));
  const isInline = tagName === 'SPAN' || tagName === 'FONT';
  if (isInline) wrapContent(element, style);
  if (isInline || isCancelled || tagName.includes(':')) element.replaceWith(...element.childNodes);
}

function wrapContent(element: HTMLElement, style: string): void {
  for (const [tag, pattern] of STYLES) {
    // Underlines of links and weights of headings are their usual look.
    if (!pattern.test(style) || element.closest(USUAL[tag] ?? 'none')) continue;
    const wrapper = element.ownerDocument.createElement(tag);
    wrapper.append(...element.childNodes);
    element.append(wrapper);
  }
}
