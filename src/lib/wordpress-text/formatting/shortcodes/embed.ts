import { asInteger } from '../../php-serialize.js';
import { escHtml } from '../esc-html.js';
import { escUrl } from '../esc-url.js';
import { plays } from './media-player.js';
import type { ShortcodeCall } from './shortcode.js';
import type { ShortcodeAttributes } from './shortcode-attributes.js';

const FILE = /^https?:\/\/.+\.[a-z\d]+$/i;

/** `[embed]`: the player shortcode of a media file, else a link, as no oEmbed provider is requested. */
export function embed({ attributes, content }: ShortcodeCall): string {
  const url = content || (attributes.get('src') ?? '');
  if (url === '') return '';
  return playerShortcode(url, attributes) ?? `<a href="${escUrl(url)}">${escHtml(url)}</a>`;
}

/** The `[audio]` or `[video]` shortcode of a URL; undefined for other types. */
export function playerShortcode(url: string, attributes?: ShortcodeAttributes): string | undefined {
  if (!FILE.test(url)) return undefined;
  if (plays('audio', url)) return `[audio src="${escUrl(url)}" /]`;
  if (!plays('video', url)) return undefined;
  const width = asInteger(attributes?.get('width') ?? '');
  const height = asInteger(attributes?.get('height') ?? '');
  const dimensions = width && height ? `width="${width}" height="${height}" ` : '';
  return `[video ${dimensions}src="${escUrl(url)}" /]`;
}
