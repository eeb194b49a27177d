import type { ThemeSupport } from '../render-context.js';
import {
  addClasses,
  attributeOf,
  classesOf,
  findTag,
  type HtmlTag,
  htmlTags,
  setAttribute,
} from './html-tag.js';
import {
  isObject,
  type Json,
  type JsonObject,
  jsonAt,
  jsonMd5,
  type ParsedBlock,
  textAt,
} from './parse-blocks.js';

/** How a block lays out what stands in it. */
interface LayoutSupport {
  /** The layout of a block without one. */
  usual?: Readonly<Record<string, string>>;
  fallbackGap?: string;
  /** Whether the block writes its gap itself, so that the layout has none. */
  ownGap?: boolean;
}

/** The blocks that get layout classes. */
const LAYOUT_SUPPORTS: ReadonlyMap<string | null, LayoutSupport> = new Map<string, LayoutSupport>([
  ['core/buttons', { usual: { type: 'flex' } }],
  ['core/column', {}],
  ['core/columns', { usual: { type: 'flex', flexWrap: 'nowrap' }, fallbackGap: '2em' }],
  ['core/cover', {}],
  ['core/details', {}],
  ['core/gallery', { usual: { type: 'flex' }, ownGap: true }],
  ['core/group', {}],
  ['core/quote', {}],
  ['core/social-links', { usual: { type: 'flex' } }],
]);

const LAYOUT_TYPES = new Set(['default', 'constrained', 'flex', 'grid']);

/** How a flexible layout may place its blocks along the line, other than by default. */
const JUSTIFICATIONS = ['left', 'right', 'center', 'space-between'];
/** How it may place them across the line. */
const ALIGNMENTS = ['top', 'center', 'bottom', 'stretch', 'space-between'];

const FALLBACK_GAP = '0.5em';
const UNSAFE_GAP = /[\\(&=}]|\/\*/;
const NOT_IN_CLASS = /[^a-z\d_-]+/g;

/** Adds the layout classes of a block to the tag around its inner blocks; classic themes add an inner container to groups. */
export function addLayout(html: string, block: ParsedBlock, theme: ThemeSupport): string {
  if (!LAYOUT_SUPPORTS.has(block.blockName)) return html;
  const layout = usedLayout(block);
  const classes = layoutClasses(block, layout, theme);
  const marked = addClasses(html, findTag(html, /^/, wrapperIndex(block)), classes);
  const isPlain = layout.type !== 'flex' && layout.type !== 'grid';
  return theme !== 'block' && block.blockName === 'core/group' && isPlain ? wrapGroup(marked) : marked;
}

function usedLayout({ attrs, blockName }: ParsedBlock): JsonObject {
  const own = jsonAt(attrs, 'layout');
  const layout = isObject(own) ? own : { ...LAYOUT_SUPPORTS.get(blockName)?.usual };
  return layout.inherit || layout.contentSize ? { ...layout, type: 'constrained' } : layout;
}

function layoutClasses(block: ParsedBlock, layout: JsonObject, theme: ThemeSupport): string[] {
  const { fallbackGap = FALLBACK_GAP, ownGap = false } = LAYOUT_SUPPORTS.get(block.blockName) ?? {};
  const name = (block.blockName ?? '').replace('/', '-');
  const type = textAt(layout, 'type') ?? 'default';
  const layoutClass = LAYOUT_TYPES.has(type) ? `is-layout-${type === 'default' ? 'flow' : type}` : '';
  const own = (key: string) => textAt(block.attrs, 'layout', key) ?? '';
  const classes = [
    theme === 'block' && type === 'constrained' ? 'has-global-padding' : '',
    own('orientation') && `is-${classPart(own('orientation'))}`,
    own('justifyContent') && `is-content-justification-${classPart(own('justifyContent'))}`,
    own('flexWrap') === 'nowrap' ? 'is-nowrap' : '',
    layoutClass,
  ];
  const gap = gapOf(block);
  const hasGap = theme === 'block';
  if ((hasGap && gap !== null && !ownGap) || needsOwnCss(type, layout)) {
    const spacing = jsonAt(block.attrs, 'style', 'spacing') ?? null;
    const hash = jsonMd5([layout, hasGap, gap, ownGap, fallbackGap, spacing]).slice(0, 8);
    classes.push(`wp-container-${name}-is-layout-${hash}`);
  }
  classes.push(`wp-block-${name.replace(/^core-/, '')}-${layoutClass}`);
  return classes.filter((one) => one !== '');
}

/** Whether a layout differs from the default of its type, so that WordPress writes CSS for this block alone. */
function needsOwnCss(type: string, layout: JsonObject): boolean {
  const justification = textAt(layout, 'justifyContent') ?? '';
  switch (type) {
    case 'constrained':
      return Boolean(layout.contentSize || layout.wideSize) || /^(?:left|right)$/.test(justification);
    case 'flex':
      return (
        layout.flexWrap === 'nowrap' ||
        layout.orientation === 'vertical' ||
        JUSTIFICATIONS.includes(justification) ||
        ALIGNMENTS.includes(textAt(layout, 'verticalAlignment') ?? '')
      );
    default:
      return type === 'grid';
  }
}

/** The block's gap, or its gaps by side, without unsafe values. */
function gapOf({ attrs }: ParsedBlock): Json {
  const safe = (one: Json) => (typeof one === 'string' && UNSAFE_GAP.test(one) ? null : one);
  const gap = jsonAt(attrs, 'style', 'spacing', 'blockGap') ?? null;
  if (!isObject(gap)) return safe(gap);
  return Object.fromEntries(Object.entries(gap).map(([side, one]) => [side, safe(one)]));
}

function classPart(text: string): string {
  return text.toLowerCase().replace(NOT_IN_CLASS, '-');
}

/** The index of the tag around the inner blocks: the last one open before the first inner block, else the outermost. */
function wrapperIndex(block: ParsedBlock): number {
  const [first] = block.content;
  if (block.content.length === 1 || typeof first !== 'string') return 0;
  const open: number[] = [];
  let index = 0;
  for (const tag of htmlTags(first)) {
    if (tag.isClosing) open.pop();
    else if (!tag.isVoid) open.push(index++);
    else index++;
  }
  return open.at(-1) ?? 0;
}

/** Adds the inner container of classic themes to a group without one, and moves the layout classes to it. */
function wrapGroup(html: string): string {
  const outer = findTag(html);
  const closing = outer ? html.lastIndexOf(`</${outer.name}`) : -1;
  if (!outer || closing < outer.end || !classesOf(outer).includes('wp-block-group')) return html;
  const inner = findTag(html, /^/, 1);
  if (inner && isInnerContainer(html, outer, inner)) return html;
  const moved = classesOf(outer).filter((name) => name.includes('is-layout-'));
  const remaining = classesOf(outer).filter((name) => !name.includes('is-layout-'));
  const open = setAttribute(html.slice(0, outer.end), outer, 'class', remaining.join(' '));
  const container = `<div class="${['wp-block-group__inner-container', ...moved].join(' ')}">`;
  return `${open}${container}${html.slice(outer.end, closing)}</div>${html.slice(closing)}`;
}

function isInnerContainer(html: string, outer: HtmlTag, inner: HtmlTag): boolean {
  const isFirst = html.slice(outer.end, inner.start).trim() === '';
  return isFirst && (attributeOf(inner, 'class') ?? '').includes('wp-block-group__inner-container');
}
