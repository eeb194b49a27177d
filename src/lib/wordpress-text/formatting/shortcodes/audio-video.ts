import { asInteger } from '../../php-serialize.js';
import { escAttr, escHtml } from '../esc-html.js';
import { escUrl } from '../esc-url.js';
import { phpTrim } from '../php-strings.js';
import { isOn, type ShortcodeAttributes, type ShortcodeCall } from './shortcode.js';

/** The media types of the files that each player takes, by file name extension, in its order of preference. */
export const MEDIA_TYPES: Readonly<Record<'audio' | 'video', ReadonlyMap<string, string>>> = {
  audio: new Map(
    Object.entries({
      mp3: 'audio/mpeg',
      ogg: 'audio/ogg',
      flac: 'audio/flac',
      m4a: 'audio/mpeg',
      wav: 'audio/wav',
    }),
  ),
  video: new Map(
    Object.entries({
      mp4: 'video/mp4',
      m4v: 'video/mp4',
      webm: 'video/webm',
      ogv: 'video/ogg',
      flv: 'video/x-flv',
    }),
  ),
};

/** `[audio]`: a player, a plain link to an unsupported file, empty without a file. */
export function audio({ attributes, ctx }: ShortcodeCall): string {
  const instance = ++ctx.state.audios;
  const sources = mediaSources('audio', attributes);
  if (typeof sources === 'string') return sources;
  const classes = escAttr(attributes.get('class') ?? 'wp-audio-shortcode');
  const style = escAttr(attributes.get('style') ?? 'width: 100%;');
  return (
    `${firstUse('audio', instance)}<audio class="${classes}" id="audio-0-${instance}"` +
    `${playback(attributes, 'none')} style="${style}" controls="controls">${sourceTags(sources, instance)}</audio>`
  );
}

const YOUTUBE = /^https?:\/\/(?:www\.)?(?:youtube\.com\/watch|youtu\.be\/)/;
const VIMEO = /^https?:\/\/(?:[^/?#]+\.)?vimeo\.com\/[^?#]*/;

/** `[video]`: a player for a file or a YouTube or Vimeo URL, else a plain link or nothing. */
export function video({ attributes, content, ctx }: ShortcodeCall): string {
  const instance = ++ctx.state.videos;
  const sources = mediaSources('video', attributes, serviceOf(attributes));
  if (typeof sources === 'string') return sources;
  const width = Math.abs(asInteger(attributes.get('width') ?? '640'));
  const height = Math.abs(asInteger(attributes.get('height') ?? '360'));
  const classes = escAttr(attributes.get('class') ?? 'wp-video-shortcode');
  const poster = escUrl(attributes.get('poster') ?? '');
  return (
    `<div style="${width > 0 ? `width: ${width}px;` : ''}" class="wp-video">` +
    `${firstUse('video', instance)}<video class="${classes}" id="video-0-${instance}"` +
    ` width="${width}" height="${height}"${poster && ` poster="${poster}"`}${playback(attributes, 'metadata')}` +
    ` controls="controls">${sourceTags(sources, instance, phpTrim(content))}</video></div>`
  );
}

function serviceOf(attributes: ShortcodeAttributes): MediaSource | undefined {
  const src = attributes.get('src') ?? '';
  if (YOUTUBE.test(src)) return { url: src, type: 'video/youtube' };
  const vimeo = VIMEO.exec(src);
  if (!vimeo) return undefined;
  const loop = isOn(attributes.get('loop')) ? 1 : 0;
  return { url: `${vimeo[0]}?loop=${loop}`, type: 'video/vimeo' };
}

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

export type Player = keyof typeof MEDIA_TYPES;

interface MediaSource {
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
function plays(player: Player, url: string): boolean {
  return MEDIA_TYPES[player].has(extensionOf(url));
}

/** The media type of a URL by its extension; empty for unsupported ones. */
export function mediaType(url: string): string {
  const extension = extensionOf(url);
  return MEDIA_TYPES.audio.get(extension) ?? MEDIA_TYPES.video.get(extension) ?? '';
}

/** A player's sources: `src`, then the URLs by type; a string is a plain link, empty without a URL. */
function mediaSources(player: Player, attributes: ShortcodeAttributes, service?: MediaSource) {
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

/** The `<source>`s of a player, its raw `tracks` and a fallback link; `instance` makes URLs unique. */
function sourceTags(sources: readonly MediaSource[], instance: number, tracks = ''): string {
  const tags = sources.map(({ url, type }) => {
    const [address = '', ...fragment] = url.split('#', 2);
    const marked = `${address}${address.includes('?') ? '&' : '?'}_=${instance}`;
    return `<source type="${type}" src="${escUrl([marked, ...fragment].join('#'))}" />`;
  });
  const link = escUrl(sources[0]?.url ?? '');
  return `${tags.join('')}${tracks}<a href="${link}">${link}</a>`;
}

/** The attributes `loop`, `autoplay`, `muted` and `preload` of a player, each with a leading space. */
function playback(attributes: ShortcodeAttributes, defaultPreload: string): string {
  const flags = ['loop', 'autoplay', 'muted'].filter((name) => isOn(attributes.get(name)));
  const preload = attributes.get('preload') ?? defaultPreload;
  return flags.map((name) => ` ${name}`).join('') + (preload && ` preload="${escAttr(preload)}"`);
}

function extensionOf(url: string): string {
  return EXTENSION.exec(url)?.[1]?.toLowerCase() ?? '';
}
