import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Database } from '../database/database.js';
import { ORGANIZER } from '../organizers/organizer-type.js';
import { VENUE } from '../venues/venue-type.js';
import { inList } from '../wordpress/posts/post-rows.js';
import { Breather } from '../wordpress/rendering/breather.js';
import type { ComparedColumns } from './compared-columns.js';
import { EventIndex } from './event-index.js';
import { ANY_ID, EventSetsBuilder, type SetKind } from './event-sets.js';
import { EVENT } from './event-type.js';
import { sortableDate } from './sortable-date.js';
import type { Breathe } from './sorted-order.js';
import { type EventPlaces, EventRows } from './sorted-events.js';

/** The tables that the index is made of. */
export const INDEX_TABLES = ['posts', 'tec_occurrences', 'term_relationships', 'postmeta'] as const;

/** Rows per statement, and milliseconds of work until others get their turn: nobody waits for more than a few. */
const ROWS = 2000;
const METAS_LOOKED_AT = 20_000;
const TURN = 4;

/** Tells whoever looks at the server's statements what these are for. */
const NOTE = raw('/* index of dates */');

const META_KEYS: readonly (readonly [SetKind, string])[] = [
  ['venue', VENUE.linkKey],
  ['organizer', ORGANIZER.linkKey],
  ['featured', '_tribe_featured'],
  ['hidden', '_EventHideFromUpcoming'],
];
const ID = /^[1-9]\d{0,14}$/;
/** By no collation is a text with a letter the same as a number. */
const NO_ID = /[a-z]/i;
const SHORT_ASCII = /^[\0-\x7f]{0,19}$/;
/** What is read of a value: more than an id has. */
const CHARACTERS = 20;

interface EventRow {
  id: number | string;
  posted: string;
  /** Null where the event has no occurrence. */
  startsAt: string | null;
  endsAt: string;
  sortsAt: string;
}

interface RelationRow {
  id: number | string;
  term: number | string;
}

interface MetaRow {
  id: number | string;
  kind: SetKind;
  value: string | null;
}

/** How an index is read. */
interface Reading {
  database: Database;
  breathe: Breathe;
  isWanted: () => Promise<boolean>;
}

/** Reads an index in small pieces, one statement at a time; undefined where dates are no dates, or nobody wants it any more. */
export async function loadEventIndex(
  database: Database,
  columns: ComparedColumns,
  isWanted: () => Promise<boolean>,
): Promise<EventIndex | undefined> {
  const breather = new Breather(TURN);
  const breathe = async () => {
    if (breather.isDue) await breather.pause();
  };
  const reading = { database, breathe, isWanted };
  const read = await readEvents(columns, reading);
  const sets = read && (await readSets(read.places, reading));
  return sets && EventIndex.of(read.events, sets, breathe);
}

async function readEvents(columns: ComparedColumns, { database, breathe, isWanted }: Reading) {
  const rows = new EventRows();
  const read = (last?: EventRow) => database.query<EventRow>(eventsAfter(database, columns, last));
  for await (const chunk of chunks(read)) {
    if (!addEvents(rows, chunk) || !(await isWanted())) return undefined;
    await breathe();
  }
  return rows.sorted(breathe);
}

async function readSets(places: EventPlaces, { database, breathe, isWanted }: Reading) {
  const sets = new EventSetsBuilder();
  const read = (last?: RelationRow) => database.query<RelationRow>(relationsAfter(database, last));
  for await (const chunk of chunks(read)) {
    for (const { id, term } of chunk) places.each(Number(id), (at) => sets.add('term', Number(term), at));
    if (!(await isWanted())) return undefined;
    await breathe();
  }
  for await (const chunk of metas(database)) {
    addMetas(sets, places, chunk);
    if (!(await isWanted())) return undefined;
    await breathe();
  }
  return sets.build(breathe);
}

async function* chunks<Row>(ask: (last?: Row) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let rows = await ask(); rows.length > 0; rows = await ask(rows.at(-1))) yield rows;
}

/** Published events in the order of their posts, which indexes of both tables hold. */
function eventsAfter(database: Database, { start, end, order }: ComparedColumns, last?: EventRow): Sql {
  const after = last
    ? sql` AND p.post_date >= ${last.posted} AND (p.post_date > ${last.posted} OR p.ID > ${last.id})`
    : empty;
  return sql`SELECT ${NOTE} e.ID AS id, e.post_date AS posted, ${start} AS startsAt, ${end} AS endsAt, ${order} AS sortsAt
    FROM (SELECT p.ID, p.post_date FROM ${database.table('posts')} p
      WHERE p.post_type = ${EVENT.type} AND p.post_status = 'publish'${after} ORDER BY p.post_date, p.ID LIMIT ${ROWS}) e
    LEFT JOIN ${database.table('tec_occurrences')} o ON o.post_id = e.ID ORDER BY e.post_date, e.ID`;
}

function addEvents(rows: EventRows, chunk: readonly EventRow[]): boolean {
  return chunk.every(({ id, startsAt, endsAt, sortsAt }) => {
    if (startsAt === null) return true;
    const dates = [startsAt, endsAt, sortsAt].map(sortableDate);
    const [start = 0, end = 0, key = 0] = dates;
    rows.add(Number(id), start, end, key);
    return !dates.some(Number.isNaN);
  });
}

function relationsAfter(database: Database, last?: RelationRow): Sql {
  const after = last
    ? sql`WHERE r.object_id >= ${last.id} AND (r.object_id > ${last.id} OR r.term_taxonomy_id > ${last.term})`
    : empty;
  return sql`SELECT ${NOTE} r.object_id AS id, r.term_taxonomy_id AS term FROM ${database.table('term_relationships')} r ${after}
    ORDER BY r.object_id, r.term_taxonomy_id LIMIT ${ROWS}`;
}

/** Meta rows of the keys; ranges of the primary key are looked through, as most rows have other keys. */
async function* metas(database: Database): AsyncGenerator<MetaRow[]> {
  const table = database.table('postmeta');
  const kinds = META_KEYS.map(([kind, key]) => sql`WHEN m.meta_key = ${key} THEN ${kind}`);
  const keys = META_KEYS.map(([, key]) => key);
  for (let from = 0; ; from += METAS_LOOKED_AT) {
    const rows = await database.query<MetaRow>(
      sql`SELECT ${NOTE} m.post_id AS id, CASE ${join(kinds, ' ')} END AS kind, SUBSTR(m.meta_value, 1, ${CHARACTERS}) AS value
          FROM ${table} m WHERE m.meta_id > ${from} AND m.meta_id <= ${from + METAS_LOOKED_AT}
          AND ${inList(sql`m.meta_key`, keys)}`,
    );
    yield rows;
    if (rows.length > 0) continue;
    // Ids may be far apart.
    const [left] = await database.query<{ next: number | null }>(
      sql`SELECT ${NOTE} MIN(m.meta_id) AS next FROM ${table} m WHERE m.meta_id > ${from + METAS_LOOKED_AT}`,
    );
    if (left?.next == null) return;
    from = left.next - 1 - METAS_LOOKED_AT;
  }
}

function addMetas(sets: EventSetsBuilder, places: EventPlaces, chunk: readonly MetaRow[]): void {
  for (const { id, kind, value } of chunk)
    places.each(Number(id), (at) => {
      if (kind === 'featured' || kind === 'hidden') sets.add(kind, 0, at);
      else if (value !== null) addLink(sets, kind, value, at);
    });
}

/** SQL compares texts by their collation, which may find `5` in ` 5`, `5,` or other digits. */
function addLink(sets: EventSetsBuilder, kind: SetKind, value: string, position: number): void {
  if (ID.test(value)) sets.add(kind, Number(value), position);
  else if (SHORT_ASCII.test(value) && !NO_ID.test(value)) sets.doubt(kind, Number(value.replace(/\D/g, '')));
  else if (!NO_ID.test(value)) sets.doubt(kind, ANY_ID);
}
