import type { RenderContext } from '../render-context.js';
import { CORE_RENDERERS } from './core-blocks.js';
import { addClasses, findTag } from './html-tag.js';
import { addLayout } from './layout.js';
import { type ParsedBlock, parseBlocks } from './parse-blocks.js';
import { addElementsClass, addSupports, makeFontFluid, styleVariation } from './supports.js';
import { renderTribeBlock } from './tribe-blocks.js';

/** The blocks that show other content of the site, or need a current post or query. */
export const SITE_BLOCKS: ReadonlySet<string> = new Set(
  [
    'archives avatar block calendar categories comment-template comments comments-title footnotes home-link',
    'latest-comments latest-posts legacy-widget navigation page-list pattern post-author post-author-biography',
    'post-author-name post-comments-form post-content post-date post-excerpt post-featured-image post-navigation-link',
    'post-template post-terms post-time-to-read post-title query query-no-results query-pagination query-title',
    'read-more rss site-logo site-tagline site-title tag-cloud template-part term-description',
  ].flatMap((names) => names.split(' ').map((name) => `core/${name}`)),
);

/** Renders the blocks of a text; a text without blocks is returned unchanged. Counts galleries in `ctx.state`. */
export function doBlocks(content: string, ctx: RenderContext): string {
  if (!content.includes('<!--')) return content;
  return parseBlocks(content)
    .map((block) => renderBlock(block, ctx))
    .join('');
}

function renderBlock(block: ParsedBlock, ctx: RenderContext, parent?: ParsedBlock): string {
  if (block.blockName === null) return block.content.join('');
  // Blocks never render other content of the site (R16).
  if (SITE_BLOCKS.has(block.blockName)) return '';
  const variation = styleVariation(block, ctx);
  // Numbered before the inner blocks: a nested gallery gets the next number.
  const gallery = block.blockName === 'core/gallery' ? ++ctx.state.blockGalleries : 0;
  // A widget group renders its inner blocks only.
  const isWidgetGroup = block.blockName === 'core/widget-group';
  const html = block.content
    .map((piece) =>
      typeof piece === 'string' ? (isWidgetGroup ? '' : piece) : renderBlock(piece, ctx, block),
    )
    .join('');
  if (block.blockName.startsWith('tribe/')) return renderTribeBlock(html, block, ctx.site.theme);
  if (!block.blockName.startsWith('core/')) return html;
  const rendered = CORE_RENDERERS[block.blockName]?.(html, block, ctx, parent) ?? html;
  if (rendered === '') return '';
  const numbered =
    gallery === 0 ? rendered : addClasses(rendered, findTag(rendered), [`wp-block-gallery-${gallery}`]);
  const colored = addElementsClass(numbered, block);
  const sized = ctx.site.theme === 'block' ? makeFontFluid(colored, block) : colored;
  return addSupports(addLayout(sized, block, ctx.site.theme), block, variation, ctx);
}
