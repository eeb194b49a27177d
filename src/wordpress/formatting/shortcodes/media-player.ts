import { escAttr, escHtml } from '../esc-html.js';
import { escUrl } from '../esc-url.js';
import { isOn, type ShortcodeAttributes } from './shortcode-attributes.js';

/** File name extensions that an audio player takes, in its order of preference. */
export const AUDIO_EXTENSIONS = ['mp3', 'ogg', 'flac', 'm4a', 'wav'] as const;
/** File name extensions that a video player takes, in its order of preference. */
export const VIDEO_EXTENSIONS = ['mp4', 'm4v', 'webm', 'ogv', 'flv'] as const;

/** The first player of a kind in a request is preceded by this line. */
export const FIRST_USE: Readonly<Record<'audio' | 'video', string>> = {
  audio: firstUse('audio'),
  video: firstUse('video'),
};

/** One address that a player offers, with its media type. */
export interface MediaSource {
  url: string;
  type: string;
}

const TYPES: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  m4a: 'audio/mpeg',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
  flv: 'video/x-flv',
};
const EXTENSION = /\.([a-z\d]+)$/i;

/** The media type that an address ends in (a query hides it); empty when it is none that a player takes. */
export function mediaType(url: string): string {
  return TYPES[extensionOf(url)] ?? '';
}

/**
 * What a player offers: `src`, whose type may be known beforehand, then the addresses by type (`mp3="…"`). A text
 * instead of a list is the plain link to a `src` that can not be played, empty without any address.
 */
export function mediaSources(
  kind: 'audio' | 'video',
  attributes: ShortcodeAttributes,
  service?: MediaSource,
): MediaSource[] | string {
  const extensions: readonly string[] = kind === 'audio' ? AUDIO_EXTENSIONS : VIDEO_EXTENSIONS;
  const src = attributes.get('src') ?? '';
  const byType = extensions.flatMap((extension) => {
    const url = attributes.get(extension);
    return url ? [{ extension, url, type: mediaType(url) }] : [];
  });
  if (src === '') return byType.some(({ extension, url }) => extensionOf(url) === extension) ? byType : '';
  if (!service && !extensions.includes(extensionOf(src)))
    return `<a class="wp-embedded-${kind}" href="${escUrl(src)}">${escHtml(src)}</a>`;
  return [service ?? { url: src, type: mediaType(src) }, ...byType];
}

/**
 * The `<source>` elements of a player, its `tracks` as they were written and the link for browsers without players;
 * `instance` keeps addresses apart.
 */
export function sourceTags(sources: readonly MediaSource[], instance: number, tracks = ''): string {
  const tags = sources.map(({ url, type }) => {
    const [address = '', fragment] = url.split('#', 2);
    const marked = `${address}${address.includes('?') ? '&' : '?'}_=${instance}`;
    return `<source type="${type}" src="${escUrl(fragment === undefined ? marked : `${marked}#${fragment}`)}" />`;
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

function firstUse(kind: string): string {
  return `<!--[if lt IE 9]><script>document.createElement('${kind}');</script><![endif]-->\n`;
}
