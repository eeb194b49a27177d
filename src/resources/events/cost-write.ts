import { numberFormatOf } from '../../lib/wordpress-text/formatting/data/number-format.js';
import { isNumeric } from '../../lib/wordpress-text/formatting/php-number.js';
import { costEntries } from './cost.js';

/** The meta rows of a written cost, not cleaned yet. */
export interface CostRows extends Currency {
  /** `_EventCost`: one row per price or text; an empty list clears the cost. */
  costs: string[];
}

/** `_EventCurrencySymbol` and `_EventCurrencyPosition` as inferred from a price; empty if unknown. */
export interface Currency {
  symbol: string;
  position: 'prefix' | 'postfix' | '';
}

const GROUP_BLANK = /(?<=\d)['’\u00a0\u202f\u2009](?=\d{3}(?!\d))/g;
const SPACED_GROUPS = /(?<![\d.,])\d{1,3}(?: \d{3}){1,4}(?=[.,]\d{1,2}(?![\d.,]))/g;
const EMPTY_DECIMALS = /(?<=\d),(?:[-–—]{1,2}(?!\s*\d)|\s*$)/g;
const ITEM_BREAK = /,(?!\d)\s*|(?<!\d),\s*/;
const BARE_LIST = /^\s*\d+(?:,\d+){2,}\s*$/;
const NUMBER = /(?<![\p{L}\d.,])[.,]\d+(?![.,]?\d)|\d+(?:[.,]\d+)*/gu;
const GROUPED = /^[1-9]\d{0,2}(?:(?:,\d{3})+|(?:\.\d{3})+)$/;
const ONE_GROUP = /^\d{1,3}([.,])\d{3}$/;
const GROUPED_INDIAN = /^[1-9]\d?(?:,\d\d)+,\d{3}$/;
const DECIMAL_COMMA = /\d,\d{1,2}(?![\d,])/;
const GROUPS_BEFORE_POINT = /\d,\d{3}\.\d/;
const THREE_DECIMALS = /^\d*\.\d{3}$/;
const RANGE_SIGN = /[-–—]/;
const CURRENCY = /^(?=.*[\p{L}\p{Sc}])[^\s\d–—-]{1,5}$/u;

/** Which signs separate thousands in numbers such as `1.000`, and whether readers take a point for one. */
interface Groups {
  comma: boolean;
  point: boolean;
  readPoint: boolean;
}

/**
 * Parses a cost: numbers are stored with a decimal point and without thousands separators, a text that lists prices
 * becomes one row, `5 - 10`, a list one row each (W12); texts without separators stay. The locale decides between
 * `1.000` and `1,000`. Undefined if the input is neither a scalar nor a list of scalars.
 */
export function costRows(input: unknown, locale = 'en_US'): CostRows | undefined {
  const sent = costTexts(input)?.filter((item) => item !== '');
  if (!sent) return undefined;
  const costs = sent.map((item) => plainCost(item, locale));
  const isRewritten = costs.some((text, index) => text !== String(sent[index]));
  const currency = isRewritten && sharedCurrency(costs);
  if (currency) return { costs: costs.map((text) => withoutSymbol(text, currency.symbol)), ...currency };
  const [only = ''] = costs;
  const inferred = inferCurrency(costs.length === 1 && !Array.isArray(input) ? only : costs);
  // A symbol with a digit is another price.
  if (!inferred.symbol || /\d/.test(inferred.symbol)) return { costs, symbol: '', position: '' };
  return { costs, symbol: inferred.symbol, position: inferred.position || '' };
}

/**
 * Infers the currency symbol and its side from a list of prices or a comma text, as the plugin does. The symbol is
 * false if there is none or the prices disagree, `''` for bare numbers.
 */
export function inferCurrency(cost: string | readonly string[]): {
  symbol: string | false;
  position: 'prefix' | 'postfix' | false;
} {
  if (cost === '' || cost === '0') return { symbol: false, position: false };
  const items = typeof cost === 'string' ? cost.split(',').map((item) => item.trim()) : cost;
  const candidates = new Set<string>();
  let index = 0;
  for (const [key, token] of costEntries(items)) {
    const item = items[index++] ?? '';
    if (isNumeric(key)) candidates.add(item.replaceAll(token, '').trim());
  }
  const [symbol] = candidates;
  if (candidates.size !== 1 || symbol === undefined) return { symbol: false, position: false };
  if (symbol === '' || symbol === '0') return { symbol, position: false };
  const holders = items.filter((item) => item.includes(symbol));
  const sides = new Set(holders.map((item) => (item.startsWith(symbol) ? 'prefix' : 'postfix')));
  const [position = false] = sides;
  return { symbol, position: sides.size === 1 && position };
}

function costTexts(input: unknown): (string | number)[] | undefined {
  const items = [input].flat().map((item) => {
    if (typeof item === 'string' || typeof item === 'number') return item;
    if (typeof item === 'boolean') return item ? '1' : '';
    return item === null ? '' : undefined;
  });
  return items.every((item) => item !== undefined) ? items : undefined;
}

function plainCost(item: string | number, locale: string): string {
  const { decimal, thousands } = numberFormatOf(locale);
  const readPoint = thousands === '.';
  if (typeof item === 'number') return safeDecimals(String(item), readPoint);
  const parts = splitList(item).flatMap((text) => {
    // A text with both signs is unambiguous.
    const isEnglish = GROUPS_BEFORE_POINT.test(text);
    const comma = isEnglish || decimal !== ',';
    const point = DECIMAL_COMMA.test(text) || (readPoint && !isEnglish);
    return plainNumbers(text, { comma, point, readPoint });
  });
  return parts.join(' - ');
}

/** Splits `$5, $10`; a text with anything but prices in one currency stays whole. */
function splitList(text: string): string[] {
  const parts = text.replace(EMPTY_DECIMALS, '').split(ITEM_BREAK);
  const isList = parts.length > 1 && parts.every((part) => /\d/.test(part)) && sharedCurrency(parts);
  return isList ? parts : [text];
}

/** Normalizes the numbers in a text; `10,20,5`, which matches no grouping, is a list. */
function plainNumbers(text: string, groups: Groups): string[] {
  if (BARE_LIST.test(text) && !isGrouped(text.trim(), groups)) return text.trim().split(',');
  return [
    text
      .replace(SPACED_GROUPS, (found) => found.replaceAll(' ', ''))
      .replace(GROUP_BLANK, '')
      .replace(EMPTY_DECIMALS, '')
      .replace(NUMBER, (number) => safeDecimals(plainNumber(number, groups), groups.readPoint)),
  ];
}

function plainNumber(number: string, groups: Groups): string {
  if (isGrouped(number, groups)) return number.replace(/[.,]/g, '');
  const last = Math.max(number.lastIndexOf('.'), number.lastIndexOf(','));
  const whole = number.slice(0, last);
  if (/^\d+$/.test(whole) || isGrouped(whole)) {
    // `1,234,5` would use the same sign for both purposes.
    if (whole.includes(number.charAt(last))) return number;
    return `${whole.replace(/[.,]/g, '')}.${number.slice(last + 1)}`;
  }
  return number.startsWith(',') ? `0.${number.slice(1)}` : number;
}

/** Whether all signs are thousands separators; a single sign is decided by the locale or the rest of the text. */
function isGrouped(number: string, groups?: Groups): boolean {
  if (GROUPED_INDIAN.test(number)) return true;
  if (!GROUPED.test(number)) return false;
  const sign = ONE_GROUP.exec(number)?.[1];
  return !groups || !sign || (sign === ',' ? groups.comma : groups.point);
}

/** Turns three decimals into two or four, so that no reader takes them for thousands. */
function safeDecimals(number: string, readPoint: boolean): string {
  if (!readPoint || !THREE_DECIMALS.test(number)) return number;
  return number.endsWith('0') ? number.slice(0, -1) : `${number}0`;
}

/** The single currency of all numbers, on one side of each; undefined if there are other words or several currencies. */
function sharedCurrency(texts: readonly string[]): Currency | undefined {
  const found = new Map<string, Currency>();
  const add = (text: string, position: 'prefix' | 'postfix'): void => {
    const symbol = text.trim();
    if (symbol) found.set(`${position} ${symbol}`, { symbol, position });
  };
  for (const text of texts) {
    const [before = '', ...between] = text.split(NUMBER);
    add(before, 'prefix');
    add(between.pop() ?? '', 'postfix');
    for (const piece of between) {
      const [after = '', ...next] = piece.split(RANGE_SIGN);
      add(after, 'postfix');
      add(next.join('-'), 'prefix');
      if (next.length === 0 && after.trim()) return undefined;
    }
  }
  const [currency = { symbol: '', position: '' } as const] = found.values();
  const isClear = found.size < 2 && (currency.symbol === '' || CURRENCY.test(currency.symbol));
  return isClear ? currency : undefined;
}

function withoutSymbol(text: string, symbol: string): string {
  return (symbol ? text.replaceAll(symbol, '') : text).replace(/\s+/g, ' ').trim();
}
