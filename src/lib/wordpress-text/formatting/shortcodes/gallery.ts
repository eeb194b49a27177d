import { attachmentUrl } from '../../image-object.js';
import { asInteger, asMap } from '../../php-serialize.js';
import { attachmentImage, isMeasured } from '../attachment-image.js';
import { escHtml } from '../esc-html.js';
import { escUrl } from '../esc-url.js';
import { KSES_CONTEXTS } from '../kses-allowlist.js';
import { phpTrim } from '../php-trim.js';
import type { Attachment, RenderSite } from '../render-context.js';
import { wptexturize } from '../wptexturize.js';
import { chosenAttachments } from './chosen-attachments.js';
import type { ShortcodeCall } from './shortcode.js';
import { htmlClass } from './shortcode-attributes.js';

/** `[gallery]`: linked thumbnails of the images of `ids` or of a post; empty without an image. */
export function gallery({ attributes, ctx }: ShortcodeCall): string {
  const selector = `gallery-${++ctx.state.galleries}`;
  const images = chosenAttachments(attributes, 'image', ctx);
  if (images.length === 0) return '';

  const isHtml5 = ctx.site.theme !== 'classic-no-html5';
  const tagOf = (name: string, modern: string, old: string) =>
    allowedTag(attributes.get(name) ?? (isHtml5 ? modern : old), old);
  const item = tagOf('itemtag', 'figure', 'dl');
  const icon = tagOf('icontag', 'div', 'dt');
  const line = tagOf('captiontag', 'figcaption', 'dd');
  const size = attributes.get('size') ?? 'thumbnail';
  const columns = asInteger(attributes.get('columns') ?? '3');
  const postId = asInteger(attributes.get('id') ?? '');

  const items = images.map((image) => {
    const captionId = `${selector}-${image.id}`;
    const hasCaption = phpTrim(image.excerpt) !== '';
    const described = hasCaption ? ` aria-describedby="${captionId}"` : '';
    const picture = attachmentImage(image, size, described, ctx.site);
    const text = hasCaption
      ? `\n\t\t\t\t<${line} class='wp-caption-text gallery-caption' id='${captionId}'>` +
        `\n\t\t\t\t${wptexturize(image.excerpt, ctx.site.locale)}\n\t\t\t\t</${line}>`
      : '';
    return (
      `<${item} class='gallery-item'>\n\t\t\t<${icon} class='gallery-icon ${orientation(image)}'>` +
      `\n\t\t\t\t${linked(picture, image, attributes.get('link'), ctx.site)}\n\t\t\t</${icon}>${text}</${item}>`
    );
  });
  const classes = `gallery galleryid-${postId} gallery-columns-${columns} gallery-size-${htmlClass(size)}`;
  return `<div id='${selector}' class='${classes}'>${items.join('')}\n\t\t</div>\n`;
}

/** The element name, or the fallback when it is not allowed in posts. */
function allowedTag(wanted: string, fallback: string): string {
  const name = wanted.toLowerCase().replace(/[^a-z\d_:-]/g, '');
  return KSES_CONTEXTS.post.has(name) ? name : fallback;
}

function orientation({ metadata }: Attachment): string {
  if (!isMeasured(metadata)) return '';
  const { width, height } = Object.fromEntries(asMap(metadata));
  return asInteger(height) > asInteger(width) ? 'portrait' : 'landscape';
}

function linked(picture: string, image: Attachment, target: string | undefined, site: RenderSite): string {
  if (target === 'none') return picture;
  const url = target === 'file' ? attachmentUrl(image.file, site.uploadsUrl) || '' : pageOf(image, site);
  return `<a href='${escUrl(url)}'>${picture || escHtml(image.title)}</a>`;
}

/** The URL of an image's page; the pretty URL of an attached image depends on its post and is loaded beforehand. */
function pageOf({ id, link, parentId, slug }: Attachment, { home, permalinkStructure }: RenderSite): string {
  if (link !== undefined) return link;
  if (permalinkStructure === '' || parentId !== 0) return `${home}/?attachment_id=${id}`;
  return `${home}/${slug}${permalinkStructure.endsWith('/') ? '/' : ''}`;
}
