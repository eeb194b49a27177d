import { SMILIES } from './data/smilies.js';
import { SPACE } from './data/typography.js';
import { behind } from './regexp.js';
import type { RenderSite } from './render-context.js';

const TAGS = /(<[^>]*>)/;
const VERBATIM_TAG = /^<(code|pre|style|script|textarea)[^>]*>$/;

// In reverse order, so that a code is tried before its own prefixes.
const CODES = [...SMILIES.keys()].sort().reverse();
const BEHIND_SPACE = CODES.map((code) => behind(`^|${SPACE}`, escapeRegExp(code)));
const CODE = new RegExp(`(?:${BEHIND_SPACE.join('|')})(?=$|${SPACE})`, 'g');

/** Replaces smiley codes between spaces by emoji or images, except inside code and similar elements. */
export function convertSmilies(text: string, site: Pick<RenderSite, 'useSmilies' | 'siteUrl'>): string {
  if (!site.useSmilies) return text;
  let verbatim: string | undefined;
  return splitAtTags(text)
    .map((token, index) => {
      if (index % 2 === 0)
        return verbatim === undefined ? token.replace(CODE, (code) => smiley(code, site.siteUrl)) : token;
      if (verbatim === undefined) verbatim = VERBATIM_TAG.exec(token)?.[1];
      else if (token === `</${verbatim}>`) verbatim = undefined;
      return token;
    })
    .join('');
}

/** Splits into texts (even indexes) and tags (odd ones); an unclosed tag is text, and skipping it keeps the search linear. */
function splitAtTags(text: string): string[] {
  const end = text.lastIndexOf('>') + 1;
  const tokens = text.slice(0, end).split(TAGS);
  tokens.push((tokens.pop() ?? '') + text.slice(end));
  return tokens;
}

function smiley(code: string, siteUrl: string): string {
  const emoji = SMILIES.get(code) ?? code;
  if (!emoji.endsWith('.png')) return emoji;
  const address = `${siteUrl}/wp-includes/images/smilies/${emoji}`;
  return `<img src="${address}" alt="${code}" class="wp-smiley" style="height: 1em; max-height: 1em;" />`;
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
