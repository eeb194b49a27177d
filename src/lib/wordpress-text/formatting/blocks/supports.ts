import { BACKGROUND_PROPERTIES, CORE_STYLED_BLOCKS, STYLED_BLOCKS } from '../data/block-supports.js';
import { escAttr } from '../esc-html.js';
import { escUrl } from '../esc-url.js';
import type { RenderContext } from '../render-context.js';
import { safecssFilterAttr } from '../safecss-filter-attr.js';
import { sanitizeKey } from '../sanitize-key.js';
import { addClasses, attributeOf, findTag, setAttribute } from './html-tag.js';
import { jsonAt, textAt } from './json.js';
import type { ParsedBlock } from './parse-blocks.js';

const STYLE_CLASS = /(?:^|\s)is-style-([a-z\d_-]+)/g;
const PRESET = /^var:preset\|duotone\|([\w-]+)$/;
/** Characters that could end a URL in CSS. */
const ENDS_URL = /["'();\\]|&#039;/;

/**
 * The numbered class of a block's style variation; empty for a style without CSS. Must be called before rendering the
 * inner blocks, which get later numbers.
 */
export function styleVariation(block: ParsedBlock, { site, state }: RenderContext): string {
  const styled = (site.theme === 'block' ? STYLED_BLOCKS : CORE_STYLED_BLOCKS).get(block.blockName);
  if (!styled) return '';
  for (const [, name = ''] of (textAt(block.attrs, 'className') ?? '').matchAll(STYLE_CLASS))
    if (styled.test(name)) return `is-style-${name}--${++state.uniqueIds}`;
  return '';
}

/** Adds the styles and classes of block supports to the first tag: background, minimum height, position, duotone, style. */
export function addSupports(html: string, block: ParsedBlock, variation: string, ctx: RenderContext): string {
  const css = block.blockName === 'core/cover' ? coverHeight(block) : background(block);
  const classes = [
    ...(css.includes('background-image') ? ['has-background'] : []),
    ...stickyPosition(block, ctx),
    ...duotone(block, ctx),
    ...(variation === '' ? [] : [variation]),
  ];
  if (css === '' && classes.length === 0) return html;
  const styled = withStyle(html, css);
  return addClasses(styled, findTag(styled), classes);
}

function withStyle(html: string, css: string): string {
  const tag = css === '' ? undefined : findTag(html);
  if (!tag) return html;
  const own = (attributeOf(tag, 'style') ?? '').trim();
  const before = own === '' || own.endsWith(';') ? own : `${own};`;
  return setAttribute(html, tag, 'style', before + escAttr(css));
}

/** The CSS of a group's background image; its size is `cover` by default. */
function background({ blockName, attrs }: ParsedBlock): string {
  const wanted = jsonAt(attrs, 'style', 'background');
  const url = escUrl(textAt(wanted, 'backgroundImage', 'url') ?? '').replaceAll('&#038;', '&');
  if (blockName !== 'core/group' || url === '' || ENDS_URL.test(url)) return '';
  const declarations = BACKGROUND_PROPERTIES.map(
    ([property, key, usual]) => `${property}:${textAt(wanted, key) || usual}`,
  );
  return [`background-image:url('${url}')`, ...declarations]
    .filter((one) => !one.endsWith(':') && !one.includes(';') && safecssFilterAttr(one) !== '')
    .map((one) => `${one};`)
    .join('');
}

/** A minimum height unsets the aspect ratio. */
function coverHeight({ attrs }: ParsedBlock): string {
  const height = jsonAt(attrs, 'minHeight') || jsonAt(attrs, 'style', 'dimensions', 'minHeight');
  const ratio = jsonAt(attrs, 'style', 'dimensions', 'aspectRatio');
  return height && !ratio ? 'aspect-ratio:unset;' : '';
}

function stickyPosition({ blockName, attrs }: ParsedBlock, { site, state }: RenderContext): string[] {
  const isSticky = textAt(attrs, 'style', 'position', 'type') === 'sticky';
  if (blockName !== 'core/group' || site.theme !== 'block' || !isSticky) return [];
  return [`wp-container-${++state.uniqueIds}`, 'is-position-sticky'];
}

/** The class of a duotone filter: by name for a preset, numbered for custom colours. */
function duotone({ blockName, attrs }: ParsedBlock, { state }: RenderContext): string[] {
  const wanted = jsonAt(attrs, 'style', 'color', 'duotone');
  if (blockName !== 'core/image' && blockName !== 'core/cover') return [];
  if (typeof wanted === 'string')
    return (PRESET.exec(wanted)?.slice(1) ?? []).map((name) => `wp-duotone-${name}`);
  const colors = Array.isArray(wanted) ? wanted.filter((color) => typeof color === 'string') : [];
  return colors.length === 0 ? [] : [`wp-duotone-${sanitizeKey(colors.join('-'))}-${++state.uniqueIds}`];
}
