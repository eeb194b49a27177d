import sql, { bulk, join } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import type { Database } from '../../../database/database.js';
import { inList } from '../../../wordpress/posts/post-rows.js';
import { occurrenceRow } from '../event-tables.service.js';
import type { WantedRow } from './series-dates.js';

/** A row that `tec_occurrences` holds, as writes read it. */
export interface StoredRow extends Pick<WantedRow, 'start' | 'end' | 'startUtc' | 'endUtc'> {
  id: number;
  eventId: number;
  hash: string;
}

/** What the rows of an event are to become. */
export interface WantedRows {
  postId: number;
  eventId: number;
  rows: readonly WantedRow[];
  /** Whether the event recurs. */
  recurs: boolean;
  /** Columns of the premium add-on. */
  columns: ReadonlySet<string>;
  /** Rows of another event whose ids go over to equal dates; they are deleted already. */
  from?: readonly StoredRow[];
}

/** Rows in one INSERT statement. */
const BATCH_SIZE = 500;

/** The rows of an event by start. */
export async function storedRows(
  database: Database,
  manager: EntityManager,
  postId: number,
): Promise<StoredRow[]> {
  const column = (name: string) => database.column(name);
  const rows = await database.query<StoredRow>(
    sql`SELECT o.occurrence_id AS id, o.event_id AS eventId, o.start_date AS ${column('start')}, o.end_date AS ${column('end')},
        o.start_date_utc AS startUtc, o.end_date_utc AS endUtc, o.hash AS hash
        FROM ${database.table('tec_occurrences')} o WHERE o.post_id = ${postId} ORDER BY o.start_date_utc, o.occurrence_id`,
    manager,
  );
  return rows.map((row) => ({ ...row, id: Number(row.id), eventId: Number(row.eventId) }));
}

/** Makes the rows of an event what they are to be; those of unchanged dates, or of an unchanged day, keep their ids. */
export async function writeRows(
  database: Database,
  manager: EntityManager,
  wanted: WantedRows,
): Promise<void> {
  const { postId, recurs, columns } = wanted;
  const { written, removed, remaining } = paired(wanted, await storedRows(database, manager, postId));
  const table = database.table('tec_occurrences');
  if (removed.length > 0)
    await database.query(
      sql`DELETE FROM ${table} WHERE ${inList(
        sql`occurrence_id`,
        removed.map(({ id }) => id),
      )}`,
      manager,
    );
  await insertOccurrences(database, manager, wanted, written);
  if (columns.has('tec_occurrences.sequence')) {
    const changed = new Set([...removed, ...written.map(({ row }) => row)].map(dayOf));
    const shifted = remaining.filter(({ row }) => changed.has(dayOf(row)));
    for (const sequence of new Set(shifted.map((one) => one.sequence))) {
      const ids = shifted.flatMap((one) => (one.sequence === sequence ? (one.id ?? []) : []));
      await database.query(
        sql`UPDATE ${table} SET ${database.column('sequence')} = ${sequence} WHERE ${inList(sql`occurrence_id`, ids)}`,
        manager,
      );
    }
  }
  if (columns.has('tec_occurrences.has_recurrence'))
    await database.query(
      sql`UPDATE ${table} SET has_recurrence = ${Number(recurs)} WHERE post_id = ${postId} AND has_recurrence <> ${Number(recurs)}`,
      manager,
    );
}

/** Adds the rows that begin after all of an event's; returns how many. */
export async function addLaterRows(
  database: Database,
  manager: EntityManager,
  wanted: WantedRows,
  before: readonly StoredRow[],
): Promise<number> {
  const last = before.at(-1)?.startUtc ?? '';
  const later = numbered(wanted).filter(({ row }) => row.startUtc > last);
  await insertOccurrences(database, manager, wanted, later);
  return later.length;
}

interface NewRow {
  id?: number;
  row: WantedRow;
  /** Its number among those of its day. */
  sequence: number;
  own: ReturnType<typeof occurrenceRow>;
}

async function insertOccurrences(
  database: Database,
  manager: EntityManager,
  { postId, eventId, recurs, columns }: WantedRows,
  written: readonly NewRow[],
): Promise<void> {
  const extra = (['has_recurrence', 'sequence', 'is_rdate'] as const).filter((name) =>
    columns.has(`tec_occurrences.${name}`),
  );
  for (const isNamed of [true, false]) {
    const some = written.filter(({ id }) => (id !== undefined) === isNamed);
    const names = [...(isNamed ? ['occurrence_id'] : []), ...COLUMNS, ...extra].map((name) =>
      database.column(name),
    );
    for (let at = 0; at < some.length; at += BATCH_SIZE) {
      const values = some.slice(at, at + BATCH_SIZE).map(({ id, row, own, sequence }) => {
        const { startDate, startDateUtc, endDate, endDateUtc, duration, hash } = own;
        const added = { has_recurrence: Number(recurs), sequence, is_rdate: Number(row.isRdate) };
        return [
          ...(id === undefined ? [] : [id]),
          eventId,
          postId,
          startDate,
          startDateUtc,
          endDate,
          endDateUtc,
          duration,
          hash,
          ...extra.map((name) => added[name]),
        ];
      });
      const table = database.table('tec_occurrences');
      await database.query(sql`INSERT INTO ${table} (${join(names)}) VALUES ${bulk(values)}`, manager);
    }
  }
}

const COLUMNS = [
  'event_id',
  'post_id',
  'start_date',
  'start_date_utc',
  'end_date',
  'end_date_utc',
  'duration',
  'hash',
];

function numbered({ postId, eventId, rows }: WantedRows): NewRow[] {
  const days = new Map<string, number>();
  return rows.map((row) => {
    const day = dayOf(row);
    const sequence = (days.get(day) ?? 0) + 1;
    days.set(day, sequence);
    return { row, sequence, own: occurrenceRow(postId, eventId, { ...row, timezone: '' }) };
  });
}

const dayOf = ({ start }: Pick<WantedRow, 'start'>): string => start.slice(0, 10);

/** Divides rows into those to write, some with the id of an old one, those to delete, and those that stay. */
function paired(wanted: WantedRows, before: readonly StoredRow[]) {
  const byHash = new Map(before.map((row) => [row.hash, row]));
  const open = new Set(before);
  const all = numbered(wanted);
  const [missing, remaining]: [NewRow[], NewRow[]] = [[], []];
  for (const one of all) {
    const same = byHash.get(one.own.hash);
    if (same && same.eventId === wanted.eventId && open.delete(same)) remaining.push({ ...one, id: same.id });
    else missing.push(one);
  }
  const byTimes = new Map(wanted.from?.map((row) => [`${row.startUtc} ${row.endUtc}`, row.id]));
  const byDay = new Map<string, StoredRow[]>();
  for (const row of open) byDay.set(dayOf(row), [...(byDay.get(dayOf(row)) ?? []), row]);
  const missingDays = new Set(missing.map(({ row }) => dayOf(row)));
  // The first date keeps its row, as that of a single event does.
  const [first] = before;
  const isFree = first && open.has(first) && !missingDays.has(dayOf(first));
  const written = missing.map((one) => {
    const { row } = one;
    const old = byDay.get(dayOf(row))?.shift() ?? (one === all[0] && isFree ? first : undefined);
    const id = old?.id ?? byTimes.get(`${row.startUtc} ${row.endUtc}`);
    return { ...one, ...(id !== undefined && { id }) };
  });
  return { written, removed: [...open], remaining };
}
