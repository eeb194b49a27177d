import { numberFormatOf } from '../../lib/wordpress-text/formatting/data/number-format.js';
import { escHtml } from '../../lib/wordpress-text/formatting/esc-html.js';
import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import {
  compareLoosely,
  isNumeric,
  numberFormat,
  toFloat,
} from '../../lib/wordpress-text/formatting/php-number.js';
import { sanitizeTitle } from '../../lib/wordpress-text/formatting/sanitize-title.js';
import { firstMeta, type PostRecord } from '../../wordpress/posts/post-record.js';

/** The calendar options for the display of prices. */
export interface CurrencyOptions {
  /** `defaultCurrencySymbol`; undefined when the option was never saved, which means `$`. */
  symbol?: string;
  /** `defaultCurrencyCode`; empty or undefined means `USD`. */
  code?: string;
  /** `reverseCurrencyPosition`: the symbol follows the number. */
  symbolAfter: boolean;
}

/** The price of an event in responses. */
interface EventCost {
  /** With currency symbol, HTML-escaped; `''` without any cost, `Free` for zero, `low – high` for a range. */
  text: string;
  /** `text` without the symbol. */
  price: string;
  /** Every price, ascending, with a decimal point; non-numeric texts as their sort keys. */
  values: (string | number)[];
}

/** Meta keys of a price. */
export const COST_KEYS = {
  cost: '_EventCost',
  symbol: '_EventCurrencySymbol',
  code: '_EventCurrencyCode',
  position: '_EventCurrencyPosition',
} as const;

const TOKEN = /[.,]?\d+[.,]?\d*/g;
const DECIMALS = /\d[.,](\d*)$/;
const SEPARATORS = /[.,]/g;
const PLAIN_DIGITS = /^(?:0|[1-9]\d{0,14})$/;
const FREE = 'Free';

/** Formats the price of an event from its meta rows, as recorded. */
export function eventCost(
  event: Pick<PostRecord, 'meta'>,
  options: CurrencyOptions,
  locale = 'en_US',
): EventCost {
  const entries = new Map<string, string>();
  for (const row of event.meta.get(COST_KEYS.cost) ?? []) {
    if (row === '') continue;
    for (const [key, entry] of costRange([row], locale)) if (!entries.has(key)) entries.set(key, entry);
  }
  if (entries.size === 0) return { text: '', price: '', values: [] };
  const ends = lowestAndHighest([...entries.values()], locale);
  return {
    text: formatRange(ends, (entry) => withSymbol(entry, event, options)),
    price: formatRange(ends, (entry) => entry),
    values: costValues(entries, locale),
  };
}

/** The currency code of an event's offers. */
export function currencyCode(event: Pick<PostRecord, 'meta'>, options: CurrencyOptions): string {
  return firstMeta(event, COST_KEYS.code) || options.code || 'USD';
}

/** The prices (or whole texts without digits) by sort key, keys ascending. */
export function costRange(texts: readonly string[], locale = 'en_US'): Map<string, string> {
  return new Map([...costEntries(texts, locale)].sort(([a], [b]) => compareLoosely(a, b)));
}

/** The prices by sort key in text order; of equal keys the first position and the last spelling win. */
export function costEntries(texts: readonly string[], locale = 'en_US'): Map<string, string> {
  const tokens = texts.flatMap((text) => text.match(TOKEN) ?? [text]);
  // Long lists repeat prices.
  const distinct = [...new Set(tokens)];
  const places = distinct.reduce((most, token) => Math.max(most, DECIMALS.exec(token)?.[1]?.length ?? 0), 0);
  const keys = new Map(distinct.map((token) => [token, costKey(token, places, locale)]));
  return new Map(tokens.map((token) => [keys.get(token) ?? '', token]));
}

function costKey(token: string, places: number, locale = 'en_US'): string {
  const number = token.replace(SEPARATORS, '.');
  if (!isNumeric(number)) return sanitizeTitle(token, { locale });
  return numberFormat(Number(number), places).replace('.', '');
}

function lowestAndHighest(tokens: string[], locale = 'en_US'): [string, string] {
  const entries = [...costRange(tokens, locale).values()];
  if (entries.length === 1 && entries[0] !== undefined) return [entries[0], entries[0]];
  const numbers = entries.filter(isNumeric);
  return [numbers[0] ?? '0', numbers.at(-1) ?? '0'];
}

function formatRange([low, high]: [string, string], decorate: (entry: string) => string): string {
  const [first, last] = [low, high].map((entry) => escHtml(isFree(entry) ? FREE : decorate(entry)));
  const same = isNumeric(low) && isNumeric(high) ? Number(low) === Number(high) : low === high;
  return same ? `${first}` : `${first} – ${last}`;
}

function isFree(entry: string): boolean {
  const number = entry.replace(SEPARATORS, '.');
  return isNumeric(number) && Number(numberFormat(Number(number), 2)) === 0;
}

function withSymbol(entry: string, event: Pick<PostRecord, 'meta'>, options: CurrencyOptions): string {
  if (!isNumeric(entry.replace(SEPARATORS, ''))) return entry;
  const symbol = firstMeta(event, COST_KEYS.symbol);
  const position = firstMeta(event, COST_KEYS.position);
  const sign = isPhpEmpty(symbol) ? (options.symbol ?? '$') : symbol;
  const after = isPhpEmpty(position) ? options.symbolAfter : position !== 'prefix';
  return after ? `${entry}${sign}` : `${sign}${entry}`;
}

function costValues(entries: ReadonlyMap<string, string>, locale: string): (string | number)[] {
  const values = [...entries].map(([key, entry]) => {
    const [decimal, thousands] = costSeparators(entry, locale);
    const number = entry.replaceAll(thousands, '').replace(decimal, '.');
    if (isNumeric(number)) return number;
    // PHP converts keys of plain digits to numbers.
    return PLAIN_DIGITS.test(key) ? Number(key) : key;
  });
  return values.sort((a, b) => toFloat(String(a)) - toFloat(String(b)));
}

/**
 * The decimal sign and thousands separator of a stored price: of two kinds of signs the last one is decimal. A single
 * kind is decimal too, except that before exactly three digits the locale decides.
 */
export function costSeparators(text: string, locale = 'en_US'): [decimal: string, thousands: string] {
  const { decimal, thousands } = numberFormatOf(locale);
  const point = text.lastIndexOf('.');
  const comma = text.lastIndexOf(',');
  const last = Math.max(point, comma);
  const sign = text.charAt(last);
  const oneKind = point < 0 || comma < 0;
  if (last < 0 || (oneKind && (sign === decimal || text.length - last === 4))) return [decimal, thousands];
  return sign === ',' ? [',', '.'] : ['.', ','];
}
