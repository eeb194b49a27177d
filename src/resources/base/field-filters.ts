import sql, { join, type Sql } from 'sql-template-tag';
import type { Database } from '../../database/database.js';
import { isNumericText } from '../../database/dialect.js';
import { wallClockIn } from '../../lib/wordpress-text/dates/convert.js';
import { storedText } from '../../lib/wordpress-text/php-serialize.js';
import { hasMeta, hasMetaWhere, inList } from '../../wordpress/posts/post-rows.js';
import type { DeclaredField, DeclaredValue } from './declared-field.js';
import { plainLine } from './field-values.js';

/** A filter of a list by a declared field: by equality, or by an edge. */
export interface FieldFilter {
  field: DeclaredField;
  /** The parameter's name. */
  name: string;
  value: unknown;
  edge?: 'min' | 'max';
}

type Values = Readonly<Record<string, unknown>>;

/** The filters by a field in the parameters of a list. */
export function sentFilters(name: string, field: DeclaredField, query: object): FieldFilter[] {
  const names = [
    [name],
    ...(field.filter === 'range'
      ? ([
          [`min_${name}`, 'min'],
          [`max_${name}`, 'max'],
        ] as const)
      : []),
  ];
  return (names as readonly (readonly [string, FieldFilter['edge']?])[]).flatMap(([parameter, edge]) => {
    const value = field.filter ? (query as Values)[parameter] : undefined;
    return value === undefined ? [] : [{ field, name: parameter, value, edge }];
  });
}

/** The condition that a post `p` or a term `t` matches a filter, or that a meta row `m` of it does; `zone` is the site's. */
export function filterCondition(
  database: Database,
  kind: 'post' | 'term',
  { field, value, edge }: FieldFilter,
  zone: string,
): { record: Sql } | { row: Sql } {
  const has = (condition: Sql) => hasMetaWhere(database, kind, field.meta, condition);
  const isSet = hasMeta(database, kind, field.meta);
  const matchesDefault = field.default !== undefined && isMatch(field.default, value, edge);
  if (field.type === 'boolean' && value === false) {
    const isFalse = sql`NOT ${has(sql`m.meta_value = '1'`)}`;
    // An unset flag has no row.
    return { record: field.default === true ? sql`(${isSet} AND ${isFalse})` : isFalse };
  }
  const row = valueCondition(database, field, value, zone, edge);
  return matchesDefault ? { record: sql`(${has(row)} OR NOT ${isSet})` } : { row };
}

/** The condition that a meta row `m` stores a value of the field, or one within an edge. */
export function valueCondition(
  database: Database,
  field: DeclaredField,
  value: unknown,
  zone: string,
  edge?: FieldFilter['edge'],
): Sql {
  const stored = sql`m.meta_value`;
  const item: DeclaredValue = field.type === 'list' ? (field.items ?? {}) : field;
  const beyond = edge === undefined ? sql`=` : edge === 'min' ? sql`>=` : sql`<=`;
  if (item.type === 'number' || (item.type === 'integer' && edge !== undefined)) {
    const numbers = [value].flat().map((one) => sql`${stored} + 0 ${beyond} ${one}`);
    return sql`(${join(numbers, ' OR ')}) AND ${isNumericText(database.dialect, stored)}`;
  }
  if (item.type === 'date' && edge !== undefined)
    return sql`${stored} ${beyond} ${wallClock(item, value, zone)} AND ${stored} LIKE '____-__-__%' AND ${stored} NOT LIKE '0000%'`;
  return inList(
    stored,
    [value].flat().flatMap((one) => textsOfValue(item, one, zone)),
  );
}

/** The texts by which a value is found: PHP may have stored a text as sent, a write stores it cleaned. */
function textsOfValue(item: DeclaredValue, value: unknown, zone: string): string[] {
  const { type = 'string' } = item;
  if (type === 'boolean') return [value ? '1' : ''];
  if (type === 'date') return [wallClock(item, value, zone)];
  const text = String(value);
  const texts = type === 'string' ? new Set([text, plainLine(text)]) : [text];
  return [...texts].map(storedText);
}

/** The value has its offset, so the present does not matter. */
const wallClock = ({ zone: own }: DeclaredValue, value: unknown, zone: string): string =>
  wallClockIn(String(value), own ?? zone, 0) ?? '';

function isMatch(own: unknown, value: unknown, edge: FieldFilter['edge']): boolean {
  if (edge) return edge === 'min' ? Number(own) >= Number(value) : Number(own) <= Number(value);
  const same = (one: unknown) => String(one).toLowerCase() === String(own).toLowerCase();
  return [value].flat().some(same);
}
