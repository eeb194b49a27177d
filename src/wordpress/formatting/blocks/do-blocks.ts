import type { RenderContext } from '../render-context.js';
import { wpautop } from '../wpautop.js';
import { addElementsClass } from './elements.js';
import { makeFontFluid } from './fluid-font-size.js';
import { addLayout } from './layout.js';
import { renderFile, renderGallery, renderImage } from './media-blocks.js';
import { type ParsedBlock, parseBlocks } from './parse-blocks.js';
import { renderLoginout, renderSearch, renderSocialLink } from './site-blocks.js';
import { renderButton, renderHeading, renderList } from './text-blocks.js';
import { addSupports, styleVariation } from './supports.js';
import { renderTribeBlock } from './tribe-blocks.js';

/** Turns a block's own HTML, inner blocks rendered in place, into what it prints. */
type Renderer = (html: string, block: ParsedBlock, ctx: RenderContext, parent?: ParsedBlock) => string;

/** What a block prints that shows other content of the site, or needs a current post or query: nothing (R16). */
const OF_THE_SITE: ReadonlySet<string> = new Set(
  [
    'archives avatar block calendar categories comment-template comments comments-title footnotes home-link',
    'latest-comments latest-posts legacy-widget navigation page-list pattern post-author post-author-biography',
    'post-author-name post-comments-form post-content post-date post-excerpt post-featured-image post-navigation-link',
    'post-template post-terms post-time-to-read post-title query query-no-results query-pagination query-title',
    'read-more rss site-logo site-tagline site-title tag-cloud template-part term-description',
  ].flatMap((names) => names.split(' ').map((name) => `core/${name}`)),
);

/** The blocks that do not print their HTML as it stands. */
const RENDERERS: Readonly<Record<string, Renderer>> = {
  'core/button': renderButton,
  'core/file': renderFile,
  'core/gallery': renderGallery,
  'core/heading': renderHeading,
  'core/image': renderImage,
  'core/list': renderList,
  'core/loginout': renderLoginout,
  'core/search': renderSearch,
  'core/shortcode': (html) => wpautop(html),
  'core/social-link': renderSocialLink,
};

/** Renders the blocks of a text; a text without any comes back as it is. Counts galleries in the request's state. */
export function doBlocks(content: string, ctx: RenderContext): string {
  if (!content.includes('<!--')) return content;
  return parseBlocks(content)
    .map((block) => renderBlock(block, ctx))
    .join('');
}

function renderBlock(block: ParsedBlock, ctx: RenderContext, parent?: ParsedBlock): string {
  if (block.blockName === null) return block.innerHTML;
  if (OF_THE_SITE.has(block.blockName)) return '';
  const variation = styleVariation(block, ctx);
  let next = 0;
  let html = '';
  for (const piece of block.innerContent) {
    const inner = piece === null ? block.innerBlocks[next++] : undefined;
    html += inner ? renderBlock(inner, ctx, block) : (piece ?? '');
  }
  if (block.blockName.startsWith('tribe/')) return renderTribeBlock(html, block, ctx.site.theme);
  if (!block.blockName.startsWith('core/')) return html;
  const rendered = RENDERERS[block.blockName]?.(html, block, ctx, parent) ?? html;
  if (rendered === '') return '';
  const colored = addElementsClass(rendered, block);
  const sized = ctx.site.theme === 'block' ? makeFontFluid(colored, block) : colored;
  return addSupports(addLayout(sized, block, ctx.site.theme), block, variation, ctx);
}
