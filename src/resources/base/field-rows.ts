import sql, { type Sql } from 'sql-template-tag';
import { type EntityManager, type EntityTarget, In } from 'typeorm';
import { RestException } from '../../common/errors/rest-exception.js';
import type { Database } from '../../database/database.js';
import { straightJoin } from '../../database/dialect.js';
import { insertRows } from '../../database/insert-rows.js';
import { updateRow } from '../../database/update-row.js';
import { asMap, serialize, unserialize } from '../../lib/wordpress-text/php-serialize.js';
import { PostMeta } from '../../wordpress/posts/post.entity.js';
import { inList } from '../../wordpress/posts/post-rows.js';
import { TermMeta } from '../../wordpress/terms/term.entity.js';
import { isSameName } from '../../wordpress/users/users.service.js';
import type { ContentKind, DeclaredField } from './declared-field.js';
import { valueCondition } from './field-filters.js';

/** The columns that `postmeta` and `termmeta` share. */
interface MetaRow {
  id: number;
  key: string | null;
  value: string | null;
}

/** A field with the texts of its new meta rows. */
export interface FieldRows {
  name: string;
  field: DeclaredField;
  texts: readonly string[];
}

/** The record whose fields are written. */
interface Owner {
  kind: ContentKind;
  id: number;
}

/** Writes the meta rows of fields: every row of a key, or for lists a row per item. */
export async function writeFieldRows(
  manager: EntityManager,
  { kind, id }: Owner,
  fields: readonly FieldRows[],
): Promise<void> {
  const isTerm = 'taxonomy' in kind;
  const entity: EntityTarget<MetaRow> = isTerm ? TermMeta : PostMeta;
  const owner = { [isTerm ? 'termId' : 'postId']: id };
  const keys = fields.map(({ field }) => field.meta);
  const stored = await manager.find(entity, { where: { ...owner, key: In(keys) }, order: { id: 'ASC' } });
  const remove = async (rows: readonly MetaRow[]) => {
    const ids = rows.map((row) => row.id);
    if (ids.length > 0) await manager.delete(entity, ids);
  };
  for (const { field, texts } of fields) {
    const { meta: key } = field;
    const rows = stored.filter((row) => row.key === key);
    const [text] = texts;
    if (field.type === 'list') {
      if (rows.length === texts.length && rows.every(({ value }, at) => (value ?? '') === texts[at]))
        continue;
      await remove(rows);
      if (texts.length > 0)
        await insertRows(manager, entity, ...texts.map((value) => ({ ...owner, key, value })));
    } else if (text === undefined) await remove(rows);
    else if (rows.length === 0) await insertRows(manager, entity, { ...owner, key, value: text });
    else
      for (const row of rows)
        await updateRow(manager, entity, row.id, { value: withOthers(field, text, row) });
  }
}

/** The text of an object with the members that PHP stored and the field does not declare. */
function withOthers({ type, properties = {} }: DeclaredField, text: string, { value }: MetaRow): string {
  if (type !== 'object') return text;
  const others = [...asMap(unserialize(value ?? ''))].filter(([name]) => !Object.hasOwn(properties, name));
  return others.length === 0 ? text : serialize(new Map([...asMap(unserialize(text)), ...others]));
}

/** Whether two texts are one value of a unique field; texts are the same but for ASCII case, on every database. */
export const isSameValue = ({ type }: DeclaredField, one: string, other: string): boolean =>
  type === 'number' ? Number(one) === Number(other) : isSameName(one, other);

/** Throws 409 if another record of the kind has the value of a unique field; those in the trash do not count. */
export async function checkUnique(
  database: Database,
  manager: EntityManager,
  { kind, id }: Owner,
  { name, field, texts: [text] }: FieldRows,
  zone: string,
): Promise<void> {
  if (text === undefined) return;
  const equal =
    field.type === 'number'
      ? valueCondition(database, field, Number(text), zone)
      : inList(sql`m.meta_value`, [text]);
  const others = await database.query<{ value: string }>(
    sql`SELECT m.meta_value AS value FROM ${ownersOf(database, kind, id)} AND m.meta_key = ${field.meta} AND ${equal}`,
    manager,
  );
  if (!others.some(({ value }) => isSameValue(field, value, text))) return;
  const message = `${name} must be unique: another record has this value.`;
  throw new RestException('conflict', 'duplicate_field_value', message, {
    data: { params: { [name]: message } },
  });
}

/** The meta rows `m` of the other records of a kind. */
function ownersOf(database: Database, kind: ContentKind, id: number): Sql {
  const [table, joined] = [(name: string) => database.table(name), straightJoin(database.dialect)];
  return 'taxonomy' in kind
    ? sql`${table('termmeta')} m ${joined} ${table('term_taxonomy')} x ON x.term_id = m.term_id
      WHERE x.taxonomy = ${kind.taxonomy} AND x.term_id <> ${id}`
    : sql`${table('postmeta')} m ${joined} ${table('posts')} p ON p.ID = m.post_id
      WHERE p.post_type = ${kind.type} AND p.post_status NOT IN ('trash', 'auto-draft') AND p.ID <> ${id}`;
}
