import { autoembed } from './autoembed.js';
import { doBlocks } from './blocks/do-blocks.js';
import { hasBlocks } from './blocks/parse-blocks.js';
import { capitalPDangit } from './capital-p-dangit.js';
import { contentImageTags } from './content-image-tags.js';
import { convertSmilies } from './convert-smilies.js';
import { doEmbedShortcode, doShortcode } from './do-shortcode.js';
import { phpTrim } from './php-trim.js';
import type { RenderContext } from './render-context.js';
import { shortcodeUnautop } from './shortcode-unautop.js';
import { wpautop } from './wpautop.js';
import { wptexturize } from './wptexturize.js';

/**
 * Renders a post's content as trimmed HTML. It advances counters in `ctx.state`, so the order of calls within a request
 * matters.
 */
export function theContent(raw: string, ctx: RenderContext): string {
  if (raw === '') return '';
  const paragraphs = withParagraphs(autoembed(doEmbedShortcode(raw, ctx)), ctx);
  const expanded = doShortcode(capitalPDangit(paragraphs, 'the_content', ctx.site.locale), ctx);
  return phpTrim(convertSmilies(contentImageTags(expanded, ctx), ctx.site));
}

/** Adds paragraphs; a text with blocks has them already and moves `wpautop` behind for the rest of the request. */
function withParagraphs(text: string, ctx: RenderContext): string {
  const { site, state } = ctx;
  const textured = wptexturize(doBlocks(text, ctx), site.locale);
  if (hasBlocks(text)) {
    state.hadBlocks = true;
    return shortcodeUnautop(textured);
  }
  if (!textured.includes('[')) return wpautop(textured);
  return state.hadBlocks ? wpautop(shortcodeUnautop(textured)) : shortcodeUnautop(wpautop(textured));
}
