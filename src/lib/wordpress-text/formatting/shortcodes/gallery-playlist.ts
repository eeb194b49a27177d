import { attachmentUrl } from '../../image-object.js';
import { asInteger, asMap, isTruthy, toPlain } from '../../php-serialize.js';
import { attachmentImage, isMeasured } from '../attachment-image.js';
import { KSES_CONTEXTS } from '../data/kses-allowlist.js';
import { escAttr, escHtml } from '../esc-html.js';
import { escUrl } from '../esc-url.js';
import { asPhpJson, phpTrim } from '../php-strings.js';
import type { Attachment, RenderContext, RenderSite } from '../render-context.js';
import { wptexturize } from '../wptexturize.js';
import { firstUse, mediaType, type Player } from './audio-video.js';
import { htmlClass, idList, isOn, type ShortcodeAttributes, type ShortcodeCall } from './shortcode.js';

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

const WIDTH = 640;
const HEIGHT = 360;
const META = ['artist', 'album', 'length_formatted'];
const CURRENT_ITEM = '\t\t<div class="wp-playlist-current-item"></div>\n\t';

/** `[playlist]`: a player for audio or video files with JSON for its script; empty without a file. */
export function playlist({ attributes, ctx }: ShortcodeCall): string {
  const instance = ++ctx.state.playlists;
  const type = attributes.get('type') ?? 'audio';
  if (type !== 'audio' && type !== 'video') return '';
  const files = chosenAttachments(attributes, type, ctx);
  if (files.length === 0) return '';

  const { site } = ctx;
  const flag = (name: string) => isOn(attributes.get(name) ?? 'true');
  const icon = { src: `${site.siteUrl}/wp-includes/images/media/${type}.svg`, width: 48, height: 64 };
  const images = flag('images') ? { image: icon, thumb: icon } : {};
  const data = {
    type,
    tracklist: flag('tracklist'),
    tracknumbers: flag('tracknumbers'),
    images: flag('images'),
    artists: flag('artists'),
    tracks: files.map((file) => ({ ...track(file, type, site), ...images })),
  };
  const links = files.map(
    (file) => `<li><a href='${escUrl(urlOf(file, site))}'>${escHtml(file.title)}</a></li>`,
  );
  const style = escAttr(attributes.get('style') ?? 'light');
  const first = firstUse(type, instance);
  return (
    `${first && `${first}\t`}` +
    `<div class="wp-playlist wp-${type}-playlist wp-playlist-${style}">\n\t` +
    `${type === 'audio' ? CURRENT_ITEM : ''}\t<${type} controls="controls" preload="none" width="${WIDTH}"\n\t\t` +
    `${type === 'video' ? ` height="${HEIGHT}"` : ''}\t></${type}>\n` +
    '\t<div class="wp-playlist-next"></div>\n\t<div class="wp-playlist-prev"></div>\n' +
    `\t<noscript>\n\t<ol>\n\t\t${links.join('')}\t</ol>\n\t</noscript>\n` +
    `\t<script type="application/json" class="wp-playlist-script">${asPhpJson(JSON.stringify(data))}</script>\n</div>\n`
  );
}

function track(file: Attachment, type: Player, site: RenderSite): Record<string, unknown> {
  const src = urlOf(file, site);
  const metadata = asMap(file.metadata);
  const meta = META.filter((key) => isTruthy(metadata.get(key)));
  return {
    src,
    type: mediaType(src) || file.mimeType,
    title: file.title,
    caption: file.excerpt,
    description: file.content,
    // An empty PHP array is a list.
    meta:
      meta.length > 0 ? Object.fromEntries(meta.map((key) => [key, toPlain(metadata.get(key) ?? null)])) : [],
    ...(type === 'video' ? { dimensions: dimensions(file) } : {}),
  };
}

function dimensions({ metadata }: Attachment): Record<string, unknown> {
  const width = asInteger(asMap(metadata).get('width')) || WIDTH;
  const height = asInteger(asMap(metadata).get('height')) || HEIGHT;
  const resized =
    width > WIDTH ? { width: WIDTH, height: Math.round((height * WIDTH) / width) } : { width, height };
  return { original: { width, height }, resized };
}

function urlOf(file: Attachment, site: RenderSite): string {
  return attachmentUrl(file.file, site.uploadsUrl) || '';
}

/** The members that sort a gallery or playlist, by the words of `orderby`. */
const ATTACHMENT_ORDERS = new Map(
  Object.entries({
    menu_order: 'menuOrder',
    id: 'id',
    title: 'title',
    post_title: 'title',
    name: 'slug',
    post_name: 'slug',
    date: 'date',
    post_date: 'date',
  } as const),
);

/** The visible attachments of a kind: those of `ids` or `include`, else of the post `id` (0: unattached). */
function chosenAttachments(
  attributes: ShortcodeAttributes,
  kind: string,
  { attachments, hiddenParents }: RenderContext,
): Attachment[] {
  const ids = attributes.get('ids') ?? '';
  const listed = idList(ids || (attributes.get('include') ?? ''));
  const isOfKind = ({ mimeType, isHidden }: Attachment) => !isHidden && mimeType.startsWith(`${kind}/`);
  const parentId = asInteger(attributes.get('id') ?? '');
  if (hiddenParents?.has(parentId)) return [];
  const excluded = new Set(idList(attributes.get('exclude') ?? ''));
  const found =
    listed.length > 0
      ? listed.flatMap((id) => attachments.get(id) ?? [])
      : [...attachments.values()].filter((one) => one.parentId === parentId && !excluded.has(one.id));

  const orderBy = attributes.get('orderby') || (ids ? 'post__in' : 'menu_order ID');
  if (orderBy === 'post__in') return found.filter(isOfKind);
  const orders = orderBy.split(/[ ,]+/).flatMap((name) => ATTACHMENT_ORDERS.get(name.toLowerCase()) ?? []);
  const direction = attributes.get('order')?.toUpperCase() === 'DESC' ? -1 : 1;
  return found.filter(isOfKind).sort((a, b) => {
    const differing = orders.find((order) => rank(a, order) !== rank(b, order));
    if (differing === undefined) return a.id - b.id;
    return rank(a, differing) < rank(b, differing) ? -direction : direction;
  });
}

function rank(attachment: Attachment, order: 'menuOrder' | 'id' | 'title' | 'slug' | 'date') {
  const value = attachment[order] ?? 0;
  return typeof value === 'string' ? value.toLowerCase() : value;
}
