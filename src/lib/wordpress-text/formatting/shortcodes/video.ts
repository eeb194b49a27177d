import { asInteger } from '../../php-serialize.js';
import { escAttr } from '../esc-html.js';
import { escUrl } from '../esc-url.js';
import { phpTrim } from '../php-trim.js';
import { firstUse, type MediaSource, mediaSources, playback, sourceTags } from './media-player.js';
import type { ShortcodeCall } from './shortcode.js';
import { isOn, type ShortcodeAttributes } from './shortcode-attributes.js';

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
