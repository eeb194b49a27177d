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

/** The HTML of a post's text, trimmed; counters in `ctx.state` move on. Paragraphs are made unless it has blocks. */
export function theContent(raw: string, ctx: RenderContext): string {
  if (raw === '') return '';
  const embedded = autoembed(doEmbedShortcode(raw, ctx));
  const isBlocks = hasBlocks(embedded);
  const textured = wptexturize(isBlocks ? doBlocks(embedded, ctx) : embedded, ctx.site.locale);
  const paragraphs = shortcodeUnautop(isBlocks ? textured : wpautop(textured));
  const expanded = doShortcode(capitalPDangit(paragraphs, 'the_content'), ctx);
  return phpTrim(convertSmilies(contentImageTags(expanded, ctx), ctx.site));
}
