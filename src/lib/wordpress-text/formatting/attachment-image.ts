import { attachmentUrl } from '../image-object.js';
import { asInteger, asMap, asString, type PhpValue } from '../php-serialize.js';
import { escAttr } from './esc-html.js';
import { BLANK, wpStripAllTags } from './php-strings.js';
import type { Attachment, RenderContext, RenderSite, RenderState } from './render-context.js';

/** Width and height in pixels. */
interface Dimensions {
  width: number;
  height: number;
}

/** One file of an attachment's metadata; the name has no folder. */
interface ImageFile extends Dimensions {
  name: string;
}

const MAX_SRCSET_WIDTH = 2048;
const UPLOADS = 'wp-content/uploads';
/** The suffix that the image editor adds to names of edited files. */
const EDIT_MARK = /-e\d{13}/;

/** The dimensions of the attachment's file at a URL; undefined when it is none of its files. */
function imageDimensions(src: string, attachment: Attachment): Dimensions | undefined {
  const name = baseName(withoutQuery(src));
  const found = [imageFile(attachment.metadata), ...sizeFiles(attachment)].find((file) => file.name === name);
  return found && found.width > 0 ? found : undefined;
}

/** Whether a metadata entry has both a width and a height. */
export function isMeasured(entry: PhpValue | undefined): boolean {
  return ['width', 'height'].every((key) => (asMap(entry).get(key) ?? null) !== null);
}

/** The `srcset` and `sizes` of a rendered image: its files of equal aspect ratio, unless fewer than two. */
function imageSrcset(
  src: string,
  rendered: Dimensions,
  attachment: Attachment,
  site: RenderSite,
): { srcset: string; sizes: string } | undefined {
  const path = withoutQuery(src);
  const full = imageFile(attachment.metadata);
  const requiredMark = EDIT_MARK.exec(full.name)?.[0];
  const ownMark = EDIT_MARK.exec(baseName(path))?.[0];
  if (full.name === '' || rendered.width < 1 || rendered.height < 1) return undefined;
  if (requiredMark !== undefined && requiredMark !== ownMark) return undefined;

  const files = sizeFiles(attachment).filter(({ name, width }) => name !== '' && width > 0);
  // The smaller files of a GIF are not animated: the full one would play only on some screens.
  if (attachment.mimeType !== 'image/gif') files.push(full);
  const folder = uploadFolder(asString(asMap(attachment.metadata).get('file')));
  const own = files.find((file) => path.includes(folder + file.name));
  if (!own) return undefined;

  const others = files.filter(({ width }) => width !== own.width && width <= MAX_SRCSET_WIDTH);
  const fitting = [own, ...others].filter(
    (file) => file.name.includes(ownMark ?? '') && haveSameRatio(rendered, file),
  );
  const folderUrl = `${site.uploadsUrl}/${folder}`;
  const candidates = new Map(
    fitting.map(({ name, width }) => [width, `${(folderUrl + name).replaceAll(' ', '%20')} ${width}w`]),
  );
  if (candidates.size < 2) return undefined;
  const { width } = rendered;
  return { srcset: [...candidates.values()].join(', '), sizes: `(max-width: ${width}px) 100vw, ${width}px` };
}

/** An attachment's `<img />` in a named size, else full; `extra` stands between `alt` and `srcset`. */
export function attachmentImage(
  attachment: Attachment,
  size: string,
  extra: string,
  site: RenderSite,
): string {
  const full = attachmentUrl(attachment.file, site.uploadsUrl);
  if (full === false) return '';
  const own = asMap(asMap(attachment.metadata).get('sizes')).get(size);
  const url = own === undefined ? full : full.slice(0, full.lastIndexOf('/') + 1) + imageFile(own).name;
  // The image is never rendered larger than its named size.
  const rendered = shrink(
    imageFile([own, attachment.metadata].find(isMeasured)),
    site.imageBoxes.find(({ name }) => name === size),
  );
  const { width, height } = rendered;
  const dimensions = width > 0 && height > 0 ? `width="${width}" height="${height}" ` : '';
  const name = escAttr(size);
  const alt = escAttr(wpStripAllTags(attachment.alt));
  const responsive = imageSrcset(url, rendered, attachment, site);
  const sets = responsive ? ` srcset="${escAttr(responsive.srcset)}" sizes="${responsive.sizes}"` : '';
  const classes = `attachment-${name} size-${name}`;
  return `<img ${dimensions}src="${escAttr(url)}" class="${classes}" alt="${alt}"${extra}${sets} />`;
}

/** Fits dimensions into a box, at least one pixel, even when they are unknown. */
function shrink({ width, height }: Dimensions, box: Dimensions | undefined): Dimensions {
  if (!box) return { width, height };
  if (width <= 0 || height <= 0) return { width: 1, height: 1 };
  const scale = Math.min(1, (box.width || width) / width, (box.height || height) / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

function sizeFiles({ metadata }: Attachment): ImageFile[] {
  return [...asMap(asMap(metadata).get('sizes')).values()].map(imageFile);
}

function imageFile(stored: PhpValue | undefined): ImageFile {
  const entry = asMap(stored);
  const [width, height] = [asInteger(entry.get('width')), asInteger(entry.get('height'))];
  return { name: baseName(asString(entry.get('file'))), width, height };
}

/** Whether two images have the same aspect ratio, within a pixel at the smaller one's width. */
function haveSameRatio(a: Dimensions, b: Dimensions): boolean {
  const [small, large] = a.width > b.width ? [b, a] : [a, b];
  const height = Math.max(1, Math.round((large.height * small.width) / large.width));
  return Math.abs(height - small.height) <= 1;
}

/** The folder of a file below the uploads folder, with a trailing slash; empty for none. */
function uploadFolder(file: string): string {
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  const at = folder.indexOf(`${UPLOADS}/`);
  return at < 0 ? folder : folder.slice(at + UPLOADS.length + 1);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? '';
}

const TAG = new RegExp(`<(img|iframe)${BLANK}[^>]+>`, 'g');
const ATTACHMENT_ID = /wp-image-(\d+)/i;
const SRC = /src="([^"]+)"/;
const WIDTH = / width=["'](\d+)["']/;
const HEIGHT = / height=["'](\d+)["']/;
const LOADING = / loading=["']([A-Za-z]+)["']/;
const FETCH_PRIORITY = / fetchpriority=["']([A-Za-z]+)["']/;
const DECODING = / decoding=["'][A-Za-z]+["']/;
const SIZES = / sizes=(?:"([^"]*)"|'([^']*)')/;
const STARTS_AUTO = /^[ \t\r\n\f]*auto[ \t\r\n\f]*(?:,|$)/i;
/** The `>` with the slashes and spaces before it; a run is matched from its start only, which keeps it linear. */
const TAG_END = /(?<![ /])[ /]*>$/;
/** The minimum area in pixels for `fetchpriority="high"`. */
const MIN_PRIORITY_AREA = 50_000;

/** Completes `<img>` and `<iframe>` tags: dimensions, `srcset`, `decoding`, `loading`, `fetchpriority`. */
export function contentImageTags(text: string, ctx: RenderContext): string {
  if (!text.includes('<img') && !text.includes('<iframe')) return text;
  // No tag ends after the last `>`; skipping that part keeps the search linear.
  const end = text.lastIndexOf('>') + 1;
  const done = new Map<string, string>();
  const completed = text.slice(0, end).replace(TAG, (tag, name: string) => {
    const known = done.get(tag);
    if (known !== undefined) return known;
    const result = name === 'img' ? completeImage(tag, ctx) : completeIframe(tag);
    done.set(tag, result);
    return result;
  });
  return completed + text.slice(end);
}

function completeImage(tag: string, ctx: RenderContext): string {
  const attachment = ctx.attachments.get(Number(ATTACHMENT_ID.exec(tag)?.[1]));
  const src = SRC.exec(tag)?.[1];
  const own = attachment && src !== undefined ? addResponsiveSources(tag, src, attachment, ctx.site) : tag;
  return addAutoSizes(addLoading(own, ctx.state));
}

function completeIframe(tag: string): string {
  const isComplete = tag.includes(' src="') && hasDimensions(tag);
  return isComplete && !LOADING.test(tag) ? prepend(tag, 'iframe', 'loading="lazy"') : tag;
}

function addResponsiveSources(tag: string, src: string, attachment: Attachment, site: RenderSite): string {
  const natural = imageDimensions(src, attachment);
  const isSized = tag.includes(' width=') || tag.includes(' height=');
  const sized =
    natural && !isSized ? prepend(tag, 'img', `width="${natural.width}" height="${natural.height}"`) : tag;
  if (sized.includes(' srcset=') || !sized.startsWith('<img ')) return sized;
  const rendered = attributeDimensions(sized) ?? natural;
  const sources = rendered && imageSrcset(src, rendered, attachment, site);
  if (!sources) return sized;
  const sizes = sized.includes(' sizes=') ? '' : ` sizes="${sources.sizes}"`;
  return `${sized.replace(TAG_END, '')} srcset="${escAttr(sources.srcset)}"${sizes} />`;
}

/** The first large image with `loading="eager"` gets `fetchpriority="high"`; images without `loading` get `lazy`. */
function addLoading(tag: string, state: RenderState): string {
  if (!tag.includes(' src="')) return tag;
  let result = DECODING.test(tag) ? tag : prepend(tag, 'img', 'decoding="async"');
  if (!hasDimensions(tag)) return result;
  const loading = LOADING.exec(tag)?.[1];
  const priority = FETCH_PRIORITY.exec(tag)?.[1];
  const { width, height } = attributeDimensions(tag) ?? { width: 0, height: 0 };
  const isLarge = width * height >= MIN_PRIORITY_AREA;
  if (priority === 'high') state.highPriorityGiven = true;
  else if (loading === undefined) result = prepend(result, 'img', 'loading="lazy"');
  else if (loading === 'eager' && priority === undefined && !state.highPriorityGiven && isLarge) {
    state.highPriorityGiven = true;
    result = prepend(result, 'img', 'fetchpriority="high"');
  }
  return result;
}

/** Adds `auto` to the `sizes` of a lazy image: browsers then use its rendered width. */
function addAutoSizes(tag: string): string {
  const sizes = SIZES.exec(tag);
  if (!sizes || LOADING.exec(tag)?.[1] !== 'lazy') return tag;
  const value = sizes[1] ?? sizes[2] ?? '';
  if (STARTS_AUTO.test(value)) return tag;
  return tag.replace(SIZES, () => ` sizes="auto, ${value.replaceAll('"', '&quot;')}"`);
}

function attributeDimensions(tag: string): Dimensions | undefined {
  const width = WIDTH.exec(tag)?.[1];
  const height = HEIGHT.exec(tag)?.[1];
  return width && height ? { width: Number(width), height: Number(height) } : undefined;
}

function hasDimensions(tag: string): boolean {
  return tag.includes(' width="') && tag.includes(' height="');
}

function prepend(tag: string, name: string, attributes: string): string {
  return `<${name} ${attributes}${tag.slice(name.length + 1)}`;
}
