import { behind } from './behind.js';
import { SMILIES } from './data/smilies.js';
import { SPACE } from './data/typography.js';
import type { RenderSite } from './render-context.js';

const TAGS = /(<[^>]*>)/;
const VERBATIM_TAG = /^<(code|pre|style|script|textarea)[^>]*>$/;

// Backwards in order, so that no code is tried before a longer one that begins with it.
const CODES = [...SMILIES.keys()].sort().reverse();
const BEHIND_SPACE = CODES.map((code) => behind(`^|${SPACE}`, escapeRegExp(code)));
const CODE = new RegExp(`(?:${BEHIND_SPACE.join('|')})(?=$|${SPACE})`, 'g');

/** The text with pictures for the smiley codes that stand between spaces; code and the like keep theirs. */
export function convertSmilies(text: string, site: Pick<RenderSite, 'useSmilies' | 'siteUrl'>): string {
  if (!site.useSmilies) return text;
  let verbatim: string | undefined;
  return splitAtTags(text)
    .map((token, index) => {
      if (index % 2 === 0)
        return verbatim === undefined ? token.replace(CODE, (code) => picture(code, site.siteUrl)) : token;
      if (verbatim === undefined) verbatim = VERBATIM_TAG.exec(token)?.[1];
      else if (token === `</${verbatim}>`) verbatim = undefined;
      return token;
    })
    .join('');
}

/** Texts at even places, tags at odd ones; what never closes is text and is not searched, which would take long. */
function splitAtTags(text: string): string[] {
  const end = text.lastIndexOf('>') + 1;
  const tokens = text.slice(0, end).split(TAGS);
  tokens.push((tokens.pop() ?? '') + text.slice(end));
  return tokens;
}

function picture(code: string, siteUrl: string): string {
  const sign = SMILIES.get(code) ?? code;
  if (!sign.endsWith('.png')) return sign;
  const address = `${siteUrl}/wp-includes/images/smilies/${sign}`;
  return `<img src="${address}" alt="${code}" class="wp-smiley" style="height: 1em; max-height: 1em;" />`;
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
