import { wpautop } from '../../../src/lib/wordpress-text/formatting/wpautop.js';

// WordPress stores a text in one of three ways. Its documentation of the block editor gives the form of blocks.

/** Paragraphs between empty lines, of which `wpautop` makes elements; elements; or blocks, each between two comments. */
type Form = 'lines' | 'elements' | 'blocks';

/** Comments of the blocks that the editor writes itself. */
const COMMENT =
  /<!-- \/?wp:(?:paragraph|heading|list|list-item|quote|separator)(?: \{"(?:level":[2-4]|ordered":true)\})? -->\n?/g;
const CLASS = / class="(?:wp-block-(?:heading|list|quote)|wp-block-separator has-alpha-channel-opacity)"/g;
/** Elements of the same meaning. */
const SAME: Readonly<Record<string, string>> = { B: 'STRONG', I: 'EM' };
const BESIDE_TAGS = / ?(<\/?(?:P|H[1-6]|UL|OL|LI|BLOCKQUOTE|BR|HR)\b[^>]*>) ?/g;

export function formOf(stored: string): Form {
  if (stored.includes('<!-- wp:')) return 'blocks';
  return /<p[\s>]/i.test(stored) ? 'elements' : 'lines';
}

/** The HTML that visitors get of a stored text, without classes that only blocks have. */
export function renderedHtml(stored: string): string {
  return formOf(stored) === 'blocks' ? stored.replace(COMMENT, '').replace(CLASS, '') : wpautop(stored);
}

/**
 * The elements of a text. Event handlers are renamed, as browsers complain about them also where none would run. Without
 * the tag of the body, comments at the start would stand before it.
 */
export function elementsOf(html: string): HTMLElement {
  const inert = html.replace(/<[a-z][^>]*>/gi, (tag) =>
    tag.replace(/(?<=[\s"'/])on(?=[a-z]+\s*=)/gi, 'data-on'),
  );
  return new DOMParser().parseFromString(`<body>${inert}`, 'text/html').body;
}

/** A text that is equal for HTML of the same meaning. */
export function canonical(html: string): string {
  return childrenOf(elementsOf(html)).replace(/\s+/g, ' ').replace(BESIDE_TAGS, '$1').trim();
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

/** The text to store for the HTML of the editor. */
export function storedText(html: string, form: Form): string {
  const body = elementsOf(html);
  unwrapItems(body);
  const blocks = [...body.children];
  while (blocks.at(-1)?.outerHTML === '<p></p>') blocks.pop();
  return blocks.map((block) => WRITE[form](block)).join('\n\n');
}

const WRITE: Readonly<Record<Form, (block: Element) => string>> = {
  lines: (block) => (block.tagName === 'P' ? block.innerHTML.replace(/<br>/g, '\n') : WRITE.elements(block)),
  elements: (block) => block.outerHTML.replace(/(<(?:ul|ol)\b[^>]*>|<\/li>)/g, '$1\n'),
  blocks: blockText,
};

function blockText(block: Element): string {
  const name = block.tagName.toLowerCase();
  const all = (inner: ParentNode) => [...inner.children].map(blockText).join('\n\n');
  if (name === 'ul' || name === 'ol') {
    const attributes = name === 'ol' ? ' {"ordered":true}' : '';
    return comments('list', attributes, `<${name} class="wp-block-list">${all(block)}</${name}>`);
  }
  if (name === 'li') {
    for (const list of block.querySelectorAll(':scope > ul, :scope > ol'))
      list.replaceWith(...elementsOf(blockText(list)).childNodes);
    return comments('list-item', '', block.outerHTML);
  }
  if (name === 'blockquote')
    return comments('quote', '', `<blockquote class="wp-block-quote">${all(block)}</blockquote>`);
  if (name === 'hr')
    return comments('separator', '', '<hr class="wp-block-separator has-alpha-channel-opacity"/>');
  if (name === 'p') return comments('paragraph', '', block.outerHTML);
  const level = name === 'h2' ? '' : ` {"level":${name.slice(1)}}`;
  return comments('heading', level, `<${name} class="wp-block-heading">${block.innerHTML}</${name}>`);
}

const comments = (name: string, attributes: string, html: string): string =>
  `<!-- wp:${name}${attributes} -->\n${html}\n<!-- /wp:${name} -->`;

/** Unwraps the paragraph of each list item that has a single one. */
function unwrapItems(body: HTMLElement): void {
  for (const item of body.querySelectorAll('li')) {
    const paragraphs = [...item.children].filter(({ tagName }) => tagName === 'P');
    if (paragraphs.length === 1) paragraphs[0]?.replaceWith(...paragraphs[0].childNodes);
  }
}
