import { MEDIA_TYPES } from '../data/media-types.js';
import { escAttr, escHtml } from '../esc-html.js';
import { escUrl } from '../esc-url.js';
import { isOn, type ShortcodeAttributes } from './shortcode-attributes.js';

/** A kind of player. */
export type Player = keyof typeof MEDIA_TYPES;

/** A `<source>` of a player. */
export interface MediaSource {
  url: string;
  type: string;
}

const EXTENSION = /\.([a-z\d]+)$/i;

/** The script before the first player of a kind in a request; empty for later ones. */
export function firstUse(player: Player, instance: number): string {
  if (instance !== 1) return '';
  return `<!--[if lt IE 9]><script>document.createElement('${player}');</script><![endif]-->\n`;
}

/** Whether the player supports the file extension of a URL; a query hides it. */
export function plays(player: Player, url: string): boolean {
  return MEDIA_TYPES[player].has(extensionOf(url));
}

/** The media type of a URL by its extension; empty for unsupported ones. */
export function mediaType(url: string): string {
  const extension = extensionOf(url);
  return MEDIA_TYPES.audio.get(extension) ?? MEDIA_TYPES.video.get(extension) ?? '';
}

/**
 * The sources of a player: `src` (a streaming `service` gives its type), then the URLs by type (`mp3="…"`). A string is
 * the plain link to an unsupported `src`, empty without any URL.
 */
export function mediaSources(
  player: Player,
  attributes: ShortcodeAttributes,
  service?: MediaSource,
): MediaSource[] | string {
  const src = attributes.get('src') ?? '';
  const byType = [...MEDIA_TYPES[player].keys()].flatMap((extension) => {
    const url = attributes.get(extension);
    return url ? [{ extension, url, type: mediaType(url) }] : [];
  });
  if (src === '') return byType.some(({ extension, url }) => extensionOf(url) === extension) ? byType : '';
  if (!service && !plays(player, src))
    return `<a class="wp-embedded-${player}" href="${escUrl(src)}">${escHtml(src)}</a>`;
  return [service ?? { url: src, type: mediaType(src) }, ...byType];
}

/**
 * The `<source>` elements of a player, its raw `tracks` and the fallback link; `instance` makes the URLs unique.
 */
export function sourceTags(sources: readonly MediaSource[], instance: number, tracks = ''): string {
  const tags = sources.map(({ url, type }) => {
    const [address = '', ...fragment] = url.split('#', 2);
    const marked = `${address}${address.includes('?') ? '&' : '?'}_=${instance}`;
    return `<source type="${type}" src="${escUrl([marked, ...fragment].join('#'))}" />`;
  });
  const link = escUrl(sources[0]?.url ?? '');
  return `${tags.join('')}${tracks}<a href="${link}">${link}</a>`;
}

/** The attributes `loop`, `autoplay`, `muted` and `preload` of a player, each with a leading space. */
export function playback(attributes: ShortcodeAttributes, defaultPreload: string): string {
  const flags = ['loop', 'autoplay', 'muted'].filter((name) => isOn(attributes.get(name)));
  const preload = attributes.get('preload') ?? defaultPreload;
  return flags.map((name) => ` ${name}`).join('') + (preload && ` preload="${escAttr(preload)}"`);
}

function extensionOf(url: string): string {
  return EXTENSION.exec(url)?.[1]?.toLowerCase() ?? '';
}
