import { escAttr } from '../esc-html.js';
import { firstUse, mediaSources, playback, sourceTags } from './media-player.js';
import type { ShortcodeCall } from './shortcode.js';

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
