import { attachmentUrl } from '../../image-object.js';
import { asInteger, asMap, isTruthy, toPlain } from '../../php-serialize.js';
import { asPhpJson } from '../as-php-json.js';
import { escAttr, escHtml } from '../esc-html.js';
import { escUrl } from '../esc-url.js';
import type { Attachment, RenderSite } from '../render-context.js';
import { chosenAttachments } from './chosen-attachments.js';
import { firstUse, mediaType, type Player } from './media-player.js';
import type { ShortcodeCall } from './shortcode.js';
import { isOn } from './shortcode-attributes.js';

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
