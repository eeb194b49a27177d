import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import { decodePercent } from './php-parameters.js';

/** The items of a comma-separated text or a list: `_fields`, ids, slugs. Blanks around items and empty items are dropped. */
export function listItems(value: unknown): string[] {
  return itemsOf(value)
    .flatMap((item) => (typeof item === 'string' ? item.split(',') : [scalarText(item)]))
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/**
 * The items of a filter: a text is decoded once more and split at commas, items of a list stay unchanged
 * (docs/behaviour/parameters.md#lists). Blanks around items and empty items are dropped.
 */
export function filterItems(value: unknown): string[] {
  const items = typeof value === 'string' ? decodePercent(value).split(',') : itemsOf(value).map(scalarText);
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/**
 * The items of `status`: a text is decoded once more and split at commas, blanks around them dropped (R23); those at its ends stay, so
 * that ` publish` is no status, as recorded. What PHP calls empty is dropped.
 */
export function statusItems(value: unknown): string[] {
  const items =
    typeof value === 'string'
      ? decodePercent(value)
          .split(',')
          .map((item, at, all) => trimmed(item, at > 0, at < all.length - 1))
      : itemsOf(value).map(scalarText);
  return items.filter((item) => !isPhpEmpty(item));
}

function trimmed(text: string, atStart: boolean, atEnd: boolean): string {
  const rest = atStart ? text.trimStart() : text;
  return atEnd ? rest.trimEnd() : rest;
}

/** The id in a number, or in a text of digits with blanks around; undefined for anything else and for 0. */
export function toId(value: unknown): number | undefined {
  if (typeof value !== 'number' && !(typeof value === 'string' && /^\s*\d+\s*$/.test(value)))
    return undefined;
  const id = Number(value);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** The members of a list or map; anything else is a list of itself. */
export function itemsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return value !== null && typeof value === 'object' ? Object.values(value) : [value];
}

/** A list or map inside a list becomes a text that checks reject. */
export function scalarText(item: unknown): string {
  return typeof item === 'object' && item !== null ? '\0' : String(item ?? '');
}

/**
 * Selects the members that `_fields` names, of each item where the body is a list; dots lead into maps, never into lists
 * (docs/behaviour/parameters.md#shaping-the-response). Without fields everything stays; without a match, at any depth, it
 * is an empty list.
 */
export function selectFields(body: unknown, fields: unknown, always: readonly string[] = []): unknown {
  const paths = listItems(fields);
  if (paths.length === 0 || !isObject(body)) return body;
  const all = [...paths, ...always].map((path) => path.split('.'));
  const pickFrom = (one: object) => pick(one as Record<string, unknown>, all);
  if (!Array.isArray(body)) return pickFrom(body);
  // The lists of `wp/v2` hold records.
  return body.map((item: unknown) => (isObject(item) ? pickFrom(item) : item));
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A map as PHP encodes it: an empty one is an empty list. */
export function asPhpMap<T extends object>(map: T): T | [] {
  return Object.keys(map).length > 0 ? map : [];
}

function pick(map: Record<string, unknown>, paths: string[][]): Record<string, unknown> | [] {
  const picked: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(map)) {
    const rests = paths.filter((path) => path[0] === key).map((path) => path.slice(1));
    if (rests.length === 0) continue;
    const isWhole = rests.some((rest) => rest.length === 0) || key === 'json_ld';
    if (isWhole || !isObject(value)) picked[key] = value;
    else if (Array.isArray(value)) picked[key] = [];
    else picked[key] = pick(value as Record<string, unknown>, rests);
  }
  return asPhpMap(picked);
}
