import { addClasses, attributeOf, classesOf, findTag, setAttribute } from './html-tag.js';
import { jsonAt } from './json.js';
import type { BlockRenderer } from './parse-blocks.js';

const FLOATING = /^align(?:left|right|center)$/;
/** The label of a preview without a name. */
const UNNAMED = 'PDF embed';
const FIGURE_END = '</figure>';

/**
 * Renders an image: empty without a source; inside a gallery it gets the attachment id. Classic themes wrap an aligned
 * image in a `<div>`.
 */
export const renderImage: BlockRenderer = (html, { attrs }, { site }, parent) => {
  const image = findTag(html, ({ name }) => name === 'img');
  if (!image || !attributeOf(image, 'src')) return '';
  const id = jsonAt(attrs, 'id');
  const isMarked = parent?.blockName === 'core/gallery' && ['number', 'string'].includes(typeof id);
  const marked = isMarked ? setAttribute(html, image, 'data-id', String(id)) : html;
  return site.theme === 'block' ? marked : wrapAlignedImage(marked);
};

function wrapAlignedImage(html: string): string {
  const figure = findTag(html);
  const classes = figure ? classesOf(figure) : [];
  const end = html.lastIndexOf(FIGURE_END);
  const isAligned = classes.includes('wp-block-image') && classes.some((name) => FLOATING.test(name));
  if (figure?.name !== 'figure' || !isAligned || end < figure.end) return html;
  const remaining = classes.filter((name) => name !== 'wp-block-image').join(' ');
  const inner = setAttribute(html.slice(0, end + FIGURE_END.length), figure, 'class', remaining);
  return `<div class="wp-block-image">${inner}</div>`;
}

/** Adds the numbered class of a gallery. */
export function numberGallery(html: string, number: number): string {
  return addClasses(html, findTag(html), [`wp-block-gallery-${number}`]);
}

/** Renders a file: its preview is hidden until a script detects PDF support. */
export const renderFile: BlockRenderer = (html, { attrs }) => {
  const object = findTag(html, ({ name }) => name === 'object');
  if (!jsonAt(attrs, 'displayPreview') || !object) return html;
  const label = attributeOf(object, 'aria-label') ?? '';
  const name = label === '' || label === UNNAMED ? UNNAMED : `Embed of ${label}.`;
  const hasLabel = object.attributes.some((attribute) => attribute.name === 'aria-label');
  const named = hasLabel ? setAttribute(html, object, 'aria-label', name) : html;
  const hidden = `${hasLabel ? '' : ` aria-label="${name}"`} data-wp-bind--hidden="!state.hasPdfPreview" hidden`;
  const marked = named.slice(0, object.nameEnd) + hidden + named.slice(object.nameEnd);
  return setAttribute(marked, findTag(marked), 'data-wp-interactive', 'core/file');
};
