import { MEDIA_TYPES } from '../data/media-types.js';
import { escAttr, escHtml } from '../esc-html.js';
import { escUrl } from '../esc-url.js';
import { isOn, type ShortcodeAttributes } from './shortcode-attributes.js';

/** The players that there are. */
export type Player = keyof typeof MEDIA_TYPES;

/** One address that a player offers, with its media type. */
export interface MediaSource {
  url: string;
  type: string;
}

const EXTENSION = /\.([a-z\d]+)$/i;

/** What precedes a player: the first of a kind in a request has a line of its own. */
export function firstUse(player: Player, instance: number): string {
  if (instance !== 1) return '';
  return `<!--[if lt IE 9]><script>document.createElement('${player}');</script><![endif]-->\n`;
}

/** Whether an address ends as those of files do that the player takes; a query hides that. */
export function plays(player: Player, url: string): boolean {
  return MEDIA_TYPES[player].has(extensionOf(url));
}

/** The media type that an address ends in; empty when it is none that a player takes. */
export function mediaType(url: string): string {
  const extension = extensionOf(url);
  return MEDIA_TYPES.audio.get(extension) ?? MEDIA_TYPES.video.get(extension) ?? '';
}

/**
 * What a player offers: `src`, whose type may be known beforehand, then the addresses by type (`mp3="…"`). A text
 * instead of a list is the plain link to a `src` that can not be played, empty without any address.
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
 * The `<source>` elements of a player, its `tracks` as they were written and the link for browsers without players;
 * `instance` keeps addresses apart.
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

/** The attributes `loop`, `autoplay`, `muted` and `preload` that a shortcode sets, each with a space before it. */
export function playback(attributes: ShortcodeAttributes, defaultPreload: string): string {
  const flags = ['loop', 'autoplay', 'muted'].filter((name) => isOn(attributes.get(name)));
  const preload = attributes.get('preload') ?? defaultPreload;
  return flags.map((name) => ` ${name}`).join('') + (preload && ` preload="${escAttr(preload)}"`);
}

function extensionOf(url: string): string {
  return EXTENSION.exec(url)?.[1]?.toLowerCase() ?? '';
}
