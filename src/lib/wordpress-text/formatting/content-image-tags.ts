import { type Dimensions, imageDimensions, imageSrcset } from './attachment-image.js';
import { escAttr } from './esc-html.js';
import { BLANK } from './php-strings.js';
import type { Attachment, RenderContext, RenderSite, RenderState } from './render-context.js';

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

/**
 * Completes the lower-case `<img>` and `<iframe>` tags of a text: dimensions and `srcset` of the site's own images,
 * `decoding`, `loading`, `fetchpriority`. Equal tags are processed once.
 */
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
