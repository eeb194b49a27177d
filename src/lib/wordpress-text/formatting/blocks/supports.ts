import { escAttr } from '../esc-html.js';
import { escUrl } from '../esc-url.js';
import { execAt } from '../php-strings.js';
import type { RenderContext } from '../render-context.js';
import { sanitizeKey } from '../sanitize.js';
import { safecssFilterAttr } from '../wp-kses.js';
import { addClasses, attributeOf, findTag, setAttribute } from './html-tag.js';
import {
  innerBlocksOf,
  type JsonObject,
  jsonAt,
  type ParsedBlock,
  serializedMd5,
  textAt,
} from './parse-blocks.js';

/** The style that WordPress itself brings CSS of its own for, whatever the theme. */
const CORE_STYLED_BLOCKS: ReadonlyMap<string | null, RegExp> = new Map([['core/button', /^outline$/]]);

/** The styles that block themes bring CSS of their own for, as far as recorded. */
const STYLED_BLOCKS: ReadonlyMap<string | null, RegExp> = new Map([
  ...CORE_STYLED_BLOCKS,
  ['core/group', /^section-[1-5]$/],
  ['core/separator', /^wide$/],
]);

const STYLE_CLASS = /(?:^|\s)is-style-([a-z\d_-]+)/g;
const PRESET = /^var:preset\|duotone\|([\w-]+)$/;
/** Characters that could end a URL in CSS. */
const ENDS_URL = /["'();\\]|&#039;/;

/** The class of a style variation, or empty; called before inner blocks, which get later numbers. */
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
  const declarations = ['Position', 'Repeat', 'Size', 'Attachment'].map((property) => {
    const value = textAt(wanted, `background${property}`) || (property === 'Size' ? 'cover' : '');
    return `background-${property.toLowerCase()}:${value}`;
  });
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

const ELEMENTS = ['link', 'button', 'heading', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const COLORS = ['text', 'background', 'gradient'];

/** Adds `wp-elements-<md5 of the block>` to the first tag of a block with colours for links, buttons or headings. */
export function addElementsClass(html: string, block: ParsedBlock): string {
  if (!hasElementColor(block)) return html;
  return addClasses(html, findTag(html), [`wp-elements-${serializedMd5(asJson(block))}`]);
}

function hasElementColor(block: ParsedBlock): boolean {
  const elements = jsonAt(block.attrs, 'style', 'elements');
  if (elements === undefined) return false;
  return (
    Boolean(jsonAt(elements, 'link', ':hover', 'color', 'text')) ||
    ELEMENTS.some((element) => COLORS.some((color) => Boolean(jsonAt(elements, element, 'color', color))))
  );
}

/** WordPress's parsed block, the input of the hash: the order of keys matters, null stands for an inner block. */
function asJson(block: ParsedBlock): JsonObject {
  const { blockName, attrs, content } = block;
  const innerContent = content.map((piece) => (typeof piece === 'string' ? piece : null));
  const innerBlocks = innerBlocksOf(block).map(asJson);
  return { blockName, attrs, innerBlocks, innerHTML: innerContent.join(''), innerContent };
}

const SIZE = /^\s*(\d+(?:\.\d+)?|\.\d+)(px|rem|em)\s*$/;
const PROPERTY = /font-size\s*:\s*/g;
const END = /\s*;?/y;
const PIXELS_PER_REM = 16;
/** The viewport widths between which a font grows, in pixels, as in the latest default theme. */
const NARROW = 320;
const WIDE = 1340;
const SMALLEST = 14;

/** Replaces the font size in a block's style by a fluid one, as block themes do. */
export function makeFontFluid(html: string, block: ParsedBlock): string {
  const size = textAt(block.attrs, 'style', 'typography', 'fontSize') ?? '';
  const fluid = fluidSize(size);
  if (fluid === undefined) return html;
  const written = size.trim();
  for (const { 0: name, index } of html.matchAll(PROPERTY)) {
    const start = index + name.length;
    if (!html.startsWith(written, start)) continue;
    execAt(END, html, start + written.length);
    return `${html.slice(0, index)}font-size:${fluid};${html.slice(END.lastIndex)}`;
  }
  return html;
}

/** The `clamp()` of a size; undefined when it is too small or has another unit. */
function fluidSize(size: string): string | undefined {
  const [, amount, unit = ''] = SIZE.exec(size) ?? [];
  const perUnit = unit === 'px' ? 1 : PIXELS_PER_REM;
  const largest = Number(amount) * perUnit;
  if (amount === undefined || largest <= SMALLEST) return undefined;
  const factor = Math.min(Math.max(1 - 0.075 * Math.log2(largest), 0.25), 0.75);
  const smallest = Math.max(thousandths((largest / perUnit) * factor), SMALLEST / perUnit);
  const slope = thousandths((100 * (largest - smallest * perUnit)) / (WIDE - NARROW));
  const base = thousandths((smallest * perUnit) / PIXELS_PER_REM);
  const narrow = thousandths(NARROW / 100 / perUnit);
  return `clamp(${smallest}${unit}, ${base}rem + ((1vw - ${narrow}${unit}) * ${slope}), ${Number(amount)}${unit})`;
}

function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}
