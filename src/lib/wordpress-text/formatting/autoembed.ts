import { MEDIA_TYPES } from './data/media-types.js';
import { BLANK } from './php-trim.js';
import { playerShortcode } from './shortcodes/embed.js';

const URL_CHARACTER = '[^\\t-\\r <>"]';
const URL = `https?://${URL_CHARACTER}+`;
const EXTENSIONS = Object.values(MEDIA_TYPES).flatMap((types) => [...types.keys()]);
const MEDIA = new RegExp(`\\.(?:${EXTENSIONS.join('|')})(?!${URL_CHARACTER})`, 'i');
/** Matches comments and tags too, so that a URL on a line inside one is skipped. */
const ALONE = new RegExp(
  [
    '<!--[\\s\\S]*?(?:-->|(?![\\s\\S]))',
    `(<p(?: [^<>]*)?>${BLANK}*)(${URL})(?=${BLANK}*</p>)`,
    '<[^<>]*>',
    `^([ \\t\\f\\v]*)(${URL})(?=[ \\t\\r\\f\\v]*$)`,
  ].join('|'),
  'gim',
);

/**
 * Turns URLs of audio and video files that are alone on a line or in a `<p>` into player shortcodes. Other URLs stay: no
 * oEmbed provider is requested.
 */
export function autoembed(text: string): string {
  if (!MEDIA.test(text)) return text;
  return text.replace(
    ALONE,
    (all, opening?: string, inParagraph?: string, indent?: string, onLine?: string) => {
      const player = playerShortcode(inParagraph ?? onLine ?? '');
      return player === undefined ? all : `${opening ?? indent ?? ''}${player}`;
    },
  );
}
