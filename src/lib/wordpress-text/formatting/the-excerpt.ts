import { contentImageTags } from './content-image-tags.js';
import { convertChars } from './convert-chars.js';
import { convertSmilies } from './convert-smilies.js';
import { phpTrim } from './php-trim.js';
import type { RenderContext } from './render-context.js';
import { shortcodeUnautop } from './shortcode-unautop.js';
import { wpautop } from './wpautop.js';
import { wptexturize } from './wptexturize.js';

/** Renders a stored excerpt as trimmed HTML; shortcodes and blocks stay text. */
export function theExcerpt(raw: string, ctx: RenderContext): string {
  if (raw === '') return '';
  const textured = convertSmilies(wptexturize(raw, ctx.site.locale), ctx.site);
  const paragraphs = shortcodeUnautop(wpautop(convertChars(textured)));
  return phpTrim(contentImageTags(paragraphs, ctx));
}
