import { contentImageTags } from './attachment-image.js';
import { doBlocks } from './blocks/do-blocks.js';
import { hasBlocks } from './blocks/parse-blocks.js';
import { SHORTCODE_NAMES } from './data/shortcode-names.js';
import { SMILIES } from './data/smilies.js';
import { SPACE, typographyOf } from './data/typography.js';
import { doEmbedShortcode, doShortcode } from './do-shortcode.js';
import { convertChars } from './esc-html.js';
import { BLANK, behind, execAt, phpTrim } from './php-strings.js';
import type { RenderContext, RenderSite } from './render-context.js';
import { MEDIA_TYPES, playerShortcode } from './shortcodes/audio-video.js';
import { wpautop } from './wpautop.js';
import { wptexturize } from './wptexturize.js';

/** Renders a content as trimmed HTML; it advances counters in `ctx.state`, so the order of calls matters. */
export function theContent(raw: string, ctx: RenderContext): string {
  if (raw === '') return '';
  const paragraphs = withParagraphs(autoembed(doEmbedShortcode(raw, ctx)), ctx);
  const expanded = doShortcode(capitalPDangit(paragraphs, 'the_content', ctx.site.locale), ctx);
  return phpTrim(convertSmilies(contentImageTags(expanded, ctx), ctx.site));
}

/** Adds paragraphs; a text with blocks has them already and moves `wpautop` behind for the rest of the request. */
function withParagraphs(text: string, ctx: RenderContext): string {
  const { site, state } = ctx;
  const textured = wptexturize(doBlocks(text, ctx), site.locale);
  if (hasBlocks(text)) {
    state.hadBlocks = true;
    return shortcodeUnautop(textured);
  }
  if (!textured.includes('[')) return wpautop(textured);
  return state.hadBlocks ? wpautop(shortcodeUnautop(textured)) : shortcodeUnautop(wpautop(textured));
}

/** Renders a stored excerpt as trimmed HTML; shortcodes and blocks stay text. */
export function theExcerpt(raw: string, ctx: RenderContext): string {
  if (raw === '') return '';
  const textured = convertSmilies(wptexturize(raw, ctx.site.locale), ctx.site);
  const paragraphs = shortcodeUnautop(wpautop(convertChars(textured)));
  return phpTrim(contentImageTags(paragraphs, ctx));
}

/** Renders a stored title, trimmed; HTML in it stays. */
export function theTitle(raw: string, locale: string): string {
  return capitalPDangit(phpTrim(convertChars(wptexturize(raw, locale))), 'the_title');
}

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

/** Turns URLs of media files that stand alone into player shortcodes; no oEmbed provider is requested. */
function autoembed(text: string): string {
  if (!MEDIA.test(text)) return text;
  return text.replace(
    ALONE,
    (all, opening?: string, inParagraph?: string, indent?: string, onLine?: string) => {
      const player = playerShortcode(inParagraph ?? onLine ?? '');
      return player === undefined ? all : `${opening ?? indent ?? ''}${player}`;
    },
  );
}

const boundaries = new Map<string, RegExp>();

/** Corrects `Wordpress`: in a title anywhere, else only after a space, a tag or an opening quote. */
export function capitalPDangit(text: string, where: 'the_title' | 'the_content', locale = 'en_US'): string {
  if (!text.includes('Wordpress')) return text;
  return where === 'the_title'
    ? text.replaceAll('Wordpress', 'WordPress')
    : text.replace(afterBoundary(locale), 'WordPress');
}

function afterBoundary(locale: string): RegExp {
  const { openingSingle, openingDouble } = typographyOf(locale);
  const key = `${openingSingle} ${openingDouble}`;
  const known = boundaries.get(key);
  if (known) return known;
  // A language with spaces inside its quotes has non-breaking ones around words too.
  const spaces = openingDouble.endsWith('&nbsp;') ? ['&nbsp;', '\u00a0'] : [];
  const boundary = new RegExp(
    `(?<=[ >(]|${[openingSingle, openingDouble, ...spaces].join('|')})Wordpress`,
    'g',
  );
  boundaries.set(key, boundary);
  return boundary;
}

const OPENING = new RegExp(`<p>(?:${SPACE})*(\\[(${SHORTCODE_NAMES.join('|')})(?![\\w-])[^[\\]]*\\])`, 'g');
const PARAGRAPH_END = new RegExp(`(?:${SPACE})*</p>`, 'y');

/** Removes the `<p>` around each paragraph that consists of one shortcode and its content. */
export function shortcodeUnautop(text: string): string {
  const closingTags = new Map<string, number>();
  const endOfContent = (name: string, from: number) => {
    const closingTag = `[/${name}]`;
    let at = closingTags.get(name) ?? -1;
    if (at < from) {
      at = text.indexOf(closingTag, from);
      if (at < 0) at = Number.POSITIVE_INFINITY;
      closingTags.set(name, at);
    }
    return at + closingTag.length;
  };
  let result = '';
  let done = 0;
  for (const match of text.matchAll(OPENING)) {
    if (match.index < done) continue;
    const [opening, tag = '', name = ''] = match;
    const tagEnd = match.index + opening.length;
    const ends = tag.endsWith('/]') ? [tagEnd] : [endOfContent(name, tagEnd), tagEnd];
    for (const end of ends) {
      if (!execAt(PARAGRAPH_END, text, end)) continue;
      result += text.slice(done, match.index) + text.slice(tagEnd - tag.length, end);
      done = PARAGRAPH_END.lastIndex;
      break;
    }
  }
  return result + text.slice(done);
}

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
