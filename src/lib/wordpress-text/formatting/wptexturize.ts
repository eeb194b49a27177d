import { SHORTCODE_NAMES } from './data/shortcode-names.js';
import { SPACE, type Typography, typographyOf } from './data/typography.js';
import { behind } from './php-strings.js';

/** Regular expression source of a comment, a CDATA section or a tag; an unclosed one extends to the end. */
export const HTML_TOKEN = '<!--(?:-?>|[\\s\\S]*?(?:-->|$))|<!\\[CDATA\\[[\\s\\S]*?(?:\\]\\]>|$)|<[^>]*>?';

const SHORTCODE = `\\[[/[]?(?:${SHORTCODE_NAMES.join('|')})(?![\\w-])(?:[^[\\]<>]|<[^>]*>)*\\]\\]?`;
const TOKENS = new RegExp(`(${HTML_TOKEN}|${SHORTCODE})`);
const PROTECTING_TAG = /^<(\/?)(pre|code|kbd|style|script|tt)(?=[\s>])(?!.*\/>$)/s;

const HAS_TYPOGRAPHY = /['"&`-]|\.\.\.| \(tm\)|\dx\d/;
const BARE_AMPERSAND = /&(?!#\d+;|#x[\da-f]+;|[a-z1-4]{1,8};)/gi;
const CONTRACTIONS = /'(?:tain't|twere|twas|tis|twill|til|bout|nuff|round|cause|em)/g;

// Lone surrogates, which no decoded text contains, as placeholders: they distinguish opening quotes, closing
// quotes and apostrophes where a language writes them alike.
const APOSTROPHE = '\uDC00';
const SINGLE = { mark: "'", open: '\uDC01', close: '\uDC02', prime: '\uDC03' };
const DOUBLE = { mark: '"', open: '\uDC04', close: '\uDC05', prime: '\uDC06' };
const PLACEHOLDERS = /[\uDC00-\uDC06]/g;
const ENTRY_OF: Readonly<Record<string, keyof Typography>> = {
  [APOSTROPHE]: 'apostrophe',
  [SINGLE.open]: 'openingSingle',
  [SINGLE.close]: 'closingSingle',
  [SINGLE.prime]: 'prime',
  [DOUBLE.open]: 'openingDouble',
  [DOUBLE.close]: 'closingDouble',
  [DOUBLE.prime]: 'doublePrime',
};

const ENDS_QUOTE = `$|[.,:;!?)}\\-\\]]|&gt;|${SPACE}`;
const BEGINS = `^|${SPACE}`;
const ENDING_SINGLE = new RegExp(`'(?=${ENDS_QUOTE})`, 'g');
const ENDING_DOUBLE = new RegExp(`"(?=${ENDS_QUOTE})`, 'g');

const YEAR_IN_SINGLE = new RegExp(`'(\\d\\d)'(?=${ENDS_QUOTE})`, 'g');
const YEAR_BEFORE_DOUBLE = new RegExp(`'(\\d\\d)"(?=${ENDS_QUOTE})`, 'g');
const SHORT_YEAR = /'(?=\d\d(?!\d|%|[.,]\d))/g;
const NUMBER_IN_SINGLE = new RegExp(`${behind(BEGINS, "'")}(\\d[\\d.,]*)'`, 'g');
const OPENING_SINGLE = new RegExp(behind(`[([{"-]|&lt;|${BEGINS}`, "'"), 'g');
const INNER_SINGLE = new RegExp(`'(?<!(?:${SPACE})')(?!$|[.,:;!?"'(){}[\\]-]|&lt;|&gt;|${SPACE})`, 'g');
const NUMBER_IN_DOUBLE = new RegExp(`${behind(BEGINS, '"')}(\\d[\\d.,]*)"`, 'g');
const OPENING_DOUBLE = new RegExp(`${behind(`[([{-]|&lt;|${BEGINS}`, '"')}(?!${SPACE})`, 'g');

const LONE_DOUBLE_HYPHEN = new RegExp(`${behind(BEGINS, '--')}(?=$|${SPACE})`, 'g');
const DOUBLE_HYPHEN = /--(?<!xn--)/g;
const LONE_HYPHEN = new RegExp(`${behind(BEGINS, '-')}(?=$|${SPACE})`, 'g');

const DIGITS_AROUND_X = /\dx\d/;
/** Anchored at the letter: looking back from every digit of a long number would be quadratic. */
const TIMES = /x(?<=\b(?:[1-9][\d.,]*|0[\d.,]+)x)(?=\d[\d.,]*\b)/g;

/** Replaces quotes, dashes and signs by those of the site's language, except in tags, shortcodes and code. */
export function wptexturize(text: string, locale = 'en_US'): string {
  if (!HAS_TYPOGRAPHY.test(text)) return text;
  const typography = typographyOf(locale);
  const openCode: string[] = [];
  // Splitting at a capturing group yields texts at even indexes and tokens at odd ones.
  return text
    .split(TOKENS)
    .map((token, index) => {
      if (index % 2 === 0) return openCode.length > 0 ? token : texturizeText(token, typography);
      if (!token.startsWith('<') || token.startsWith('<!--')) return token;
      followCode(token, openCode);
      return token.replace(BARE_AMPERSAND, '&#038;');
    })
    .join('');
}

function followCode(tag: string, openCode: string[]): void {
  const [, closing, name] = PROTECTING_TAG.exec(tag) ?? [];
  if (name === undefined) return;
  if (!closing) openCode.push(name);
  else if (openCode.at(-1) === name) openCode.pop();
}

function texturizeText(text: string, typography: Typography): string {
  if (!HAS_TYPOGRAPHY.test(text)) return text;
  let result = replaceLiterals(text, typography);
  if (result.includes("'")) result = texturizeSingleQuotes(result);
  if (result.includes('"')) result = texturizeDoubleQuotes(result);
  if (result.includes('-')) {
    result = result
      .replaceAll('---', typography.emDash)
      .replace(LONE_DOUBLE_HYPHEN, typography.emDash)
      .replace(DOUBLE_HYPHEN, typography.enDash)
      .replace(LONE_HYPHEN, typography.enDash);
  }
  const written = result.replace(PLACEHOLDERS, (mark) => typography[ENTRY_OF[mark] ?? 'apostrophe']);
  const multiplied = DIGITS_AROUND_X.test(written) ? written.replace(TIMES, '&#215;') : written;
  return multiplied.replace(BARE_AMPERSAND, '&#038;');
}

function replaceLiterals(text: string, typography: Typography): string {
  return (
    text
      .replaceAll('...', '&#8230;')
      .replaceAll('``', typography.openingDouble)
      .replaceAll("''", typography.closingDouble)
      .replaceAll(' (tm)', ' &#8482;')
      // Contractions are the same in every language.
      .replace(CONTRACTIONS, (word) => word.replaceAll("'", '&#8217;'))
  );
}

function texturizeSingleQuotes(text: string): string {
  const marked = text
    .replace(YEAR_IN_SINGLE, `${APOSTROPHE}$1${SINGLE.close}`)
    .replace(YEAR_BEFORE_DOUBLE, `${APOSTROPHE}$1${DOUBLE.close}`)
    .replace(SHORT_YEAR, APOSTROPHE)
    .replace(NUMBER_IN_SINGLE, `${SINGLE.open}$1${SINGLE.close}`)
    .replace(OPENING_SINGLE, SINGLE.open)
    .replace(INNER_SINGLE, APOSTROPHE);
  return resolveQuotes(marked, SINGLE, ENDING_SINGLE);
}

function texturizeDoubleQuotes(text: string): string {
  const marked = text
    .replace(NUMBER_IN_DOUBLE, `${DOUBLE.open}$1${DOUBLE.close}`)
    .replace(OPENING_DOUBLE, DOUBLE.open);
  return resolveQuotes(marked, DOUBLE, ENDING_DOUBLE).replaceAll('"', DOUBLE.close);
}

/** Resolves the remaining marks to closing quotes or, after numbers, primes (feet, inches). */
function resolveQuotes(text: string, { mark, open, close, prime }: typeof SINGLE, ending: RegExp): string {
  if (!text.includes(mark)) return text;
  const resolvePiece = (piece: string, index: number) => {
    const awaitsClosing = index > 0 && !piece.includes(close);
    const closing = closingMarks(piece, ending, awaitsClosing);
    return piece.replaceAll(mark, (_, offset: number) => {
      if (closing.has(offset)) return close;
      return isDigit(piece[offset - 1]) ? prime : mark;
    });
  };
  return text.split(open).map(resolvePiece).join(open);
}

function closingMarks(piece: string, ending: RegExp, awaitsClosing: boolean): Set<number> {
  const candidates = [...piece.matchAll(ending)].map((match) => match.index);
  const closing = candidates.filter((offset) => !isDigit(piece[offset - 1]));
  // An open quote must close: after a number if nowhere else, preferably before a full stop.
  if (awaitsClosing && closing.length === 0) {
    const best = candidates.findLast((offset) => piece[offset + 1] === '.') ?? candidates.at(-1);
    if (best !== undefined) closing.push(best);
  }
  return new Set(closing);
}

function isDigit(character = ''): boolean {
  return character >= '0' && character <= '9';
}
