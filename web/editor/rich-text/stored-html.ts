import { wpautop } from '../../../src/lib/wordpress-text/formatting/wpautop.js';

// WordPress stores paragraphs as texts between empty lines; `wpautop` makes elements of them when it shows them.

/** Elements that mean the same. */
const SAME: Readonly<Record<string, string>> = { B: 'STRONG', I: 'EM' };
const BLOCK = / ?(<\/?(?:P|H[1-6]|UL|OL|LI|BLOCKQUOTE|BR|HR)\b[^>]*>) ?/g;

const elementsOf = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body;

/** The HTML that is shown for a stored text. */
export const shownHtml = (stored: string): string => wpautop(stored);

/** A text that is equal for HTML of the same meaning. */
export function canonical(html: string): string {
  return childrenOf(elementsOf(html)).replace(/\s+/g, ' ').replace(BLOCK, '$1').trim();
}

const childrenOf = (parent: Node): string => [...parent.childNodes].map(textOf).join('');

function textOf(node: Node): string {
  if (node instanceof Element) {
    const name = SAME[node.tagName] ?? node.tagName;
    const attributes = [...node.attributes].map((one) => `${one.name}=${JSON.stringify(one.value)}`).sort();
    return `<${[name, ...attributes].join(' ')}>${childrenOf(node)}</${name}>`;
  }
  return node instanceof Text ? node.data : `<!--${node.nodeValue}-->`;
}

/** The text to store for the HTML of the editor: with tags of paragraphs only where the text had them before. */
export function storedText(html: string, hasTags: boolean): string {
  const body = elementsOf(html);
  withPlainItems(body);
  const parts = [...body.children].map((block) => {
    if (block.tagName !== 'P') return block.outerHTML.replace(/(<(?:ul|ol)\b[^>]*>|<\/li>)/g, '$1\n');
    return hasTags ? block.outerHTML : block.innerHTML.replace(/<br>/g, '\n');
  });
  while (/^(?:<p><\/p>)?$/.test(parts.at(-1) ?? '-')) parts.pop();
  return parts.join('\n\n');
}

/** Unwraps the paragraph of each list item that has a single one. */
function withPlainItems(body: HTMLElement): void {
  for (const item of body.querySelectorAll('li')) {
    const paragraphs = [...item.children].filter(({ tagName }) => tagName === 'P');
    if (paragraphs.length === 1) paragraphs[0]?.replaceWith(...paragraphs[0].childNodes);
  }
}
