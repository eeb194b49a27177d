import { AUDIO_EXTENSIONS, VIDEO_EXTENSIONS } from './shortcodes/media-player.js';
import { playerShortcode } from './shortcodes/embed.js';

const BLANK = '[ \\t\\n\\r\\f\\v]';
const URL = 'https?:\\/\\/[^ \\t\\n\\r\\f\\v<>"]+';
const MEDIA = new RegExp(
  `\\.(?:${[...AUDIO_EXTENSIONS, ...VIDEO_EXTENSIONS].join('|')})(?![^ \\t\\n\\r\\f\\v<>"])`,
  'i',
);
/** Comments and tags are skipped, so that an address on a line inside one stays. */
const ALONE = new RegExp(
  [
    '<!--[\\s\\S]*?(?:-->|(?![\\s\\S]))',
    `(<p(?: [^<>]*)?>${BLANK}*)(${URL})(?=${BLANK}*<\\/p>)`,
    '<[^<>]*>',
    `^([ \\t\\f\\v]*)(${URL})(?=[ \\t\\r\\f\\v]*$)`,
  ].join('|'),
  'gim',
);

/**
 * Turns addresses of audio and video files that stand alone on a line or in a `<p>` into player shortcodes. All other
 * addresses stay as they are: nobody is asked for a preview.
 */
export function autoembed(text: string): string {
  if (!MEDIA.test(text)) return text;
  return text.replace(
    ALONE,
    (all, opening?: string, inParagraph?: string, indent?: string, onLine?: string) => {
      const url = inParagraph ?? onLine;
      const player = url === undefined ? undefined : playerShortcode(url);
      return player === undefined ? all : `${opening ?? indent ?? ''}${player}`;
    },
  );
}
