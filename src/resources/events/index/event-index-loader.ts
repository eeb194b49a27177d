import type { TableSnapshot } from '../../../database/table-versions.service.js';
import type { Database } from '../../../database/database.js';
import type { ComparedColumns } from '../compared-columns.js';
import { ChunkDigests } from './chunk-digests.js';
import { type EventChanges, EventIndex } from './event-index.js';
import {
  type AllRows,
  EventIndexSources,
  type Ids,
  INDEX_PARTS,
  type IndexPart,
  type IndexTable,
  type Printed,
  type SourceRows,
  tableOf,
} from './event-index-sources.js';
import { ANY_ID, type EventSetsBuilder, type SetKind } from './event-sets.js';
import { sortableDate } from './sortable-date.js';
import { type Yield, yielder } from './sorted-order.js';

/** Events per statement: nobody waits for more than a few milliseconds. */
const EVENTS = 2000;
/** Statements at the same time where an index is followed. */
const LANES = 3;
/** Ranges of ids per statement. */
const RANGES = 100;
/** Ids are looked at in at most so many chunks, of no fewer than 2^6. */
const CHUNKS = 1024;
const LEAST_BITS = 6;

const ID = /^[1-9]\d{0,14}$/;
/** By no collation is a text with a letter the same as a number. */
const NO_ID = /[a-z]/i;
const SHORT_ASCII = /^[\0-\x7f]{0,19}$/;

/** An index, and what it takes to follow changes of its rows. */
export interface LoadedIndex {
  index: EventIndex;
  sources: EventIndexSources;
  /** A chunk is an id without so many of its last bits. */
  bits: number;
  /** Of the rows that the index was made of. */
  digests: ReadonlyMap<IndexPart, ChunkDigests>;
  /** Of all digests. */
  rows: number;
  /** Of each part's table, when its digests were last read. */
  versions: ReadonlyMap<IndexPart, number>;
}

/** How an index is read. */
export interface Reading {
  database: Database;
  columns: ComparedColumns;
  /** Taken before anything is read. */
  versions: TableSnapshot;
  /** What is followed; the others stay as they were. */
  parts: readonly IndexPart[];
  isWanted: () => Promise<boolean>;
}

/**
 * Brings an index to what the tables hold, or reads one from nothing, in small pieces; undefined where dates are no dates, or
 * nobody wants it any more. Of the parts whose tables have moved it asks what the rows of each chunk of ids add up to, and reads those
 * chunks that differ from what the index was made of. The digests that it keeps are those of the rows as they were read: whatever
 * changes meanwhile differs next time.
 */
export async function loadEventIndex(
  { database, columns, versions, parts, isWanted }: Reading,
  before?: LoadedIndex,
): Promise<LoadedIndex | undefined> {
  const breathe = yielder();
  const sources = before?.sources ?? (await EventIndexSources.of(database, columns));
  const bits = before?.bits ?? bitsFor(await sources.highest());
  const table = { sources, bits, breathe };
  const followed = new Map(
    INDEX_PARTS.map((part) => {
      const known = before?.versions.get(part);
      return [part, known !== undefined && !parts.includes(part) ? known : versions.version(tableOf(part))];
    }),
  );
  const isSame = (part: IndexPart) => before?.versions.get(part) === followed.get(part);
  const digests = await allDigests(
    table,
    (part) => (isSame(part) ? before?.digests.get(part) : undefined),
    before ? LANES : 1,
  );
  if (!(await isWanted())) return undefined;
  const differing = new Set(
    [...digests].flatMap(([part, now]) => now.differing(before?.digests.get(part) ?? new ChunkDigests())),
  );
  const rows = [...digests.values()].reduce((sum, { total }) => sum + total, 0);
  const base = before?.index ?? EventIndex.EMPTY;
  const loaded = { index: base, sources, bits, digests, rows, versions: followed };
  if (differing.size === 0) return loaded;
  const changes = base.changes();
  const posts = digests.get('posts') ?? new ChunkDigests();
  const chunks = [...differing].filter((chunk) => posts.count(chunk) > 0).sort((a, b) => a - b);
  const asRead = new Map(INDEX_PARTS.map((part) => [part, new ChunkDigests()]));
  for (const batch of batches(chunks, posts)) {
    if (!(await readChunks(table, batch, changes, asRead)) || !(await isWanted())) return undefined;
    await breathe();
  }
  for (const [part, read] of asRead) digests.get(part)?.replace(chunks, read);
  // Asked of each event: powers take longer than all the rest.
  const size = 2 ** bits;
  const isGone = (id: number) => differing.has(Math.floor(id / size));
  return { ...loaded, index: await base.with(changes, isGone, breathe) };
}

/** The tables, and how they are looked at. */
interface Tables {
  sources: EventIndexSources;
  bits: number;
  breathe: Yield;
}

/** The digests of all parts: those that are known, and the others by so many statements at a time. */
async function allDigests(
  { sources, bits, breathe }: Tables,
  known: (part: IndexPart) => ChunkDigests | undefined,
  lanes: number,
): Promise<Map<IndexPart, ChunkDigests>> {
  const all = new Map<IndexPart, ChunkDigests>();
  const parts = INDEX_PARTS.values();
  const look = async () => {
    for (const part of parts) {
      const digests = new ChunkDigests(known(part));
      all.set(part, digests);
      if (known(part)) continue;
      for (const { chunk, count, sum } of await sources.digests(part, bits))
        digests.set(Number(chunk), { count: Number(count), sum: Number(sum) });
      await breathe();
    }
  };
  await Promise.all(Array.from({ length: lanes }, look));
  return all;
}

/** Reads all rows of some chunks, and what they add up to; false where a date is none. */
async function readChunks(
  { sources, bits, breathe }: Tables,
  chunks: readonly number[],
  changes: EventChanges,
  asRead: ReadonlyMap<IndexPart, ChunkDigests>,
): Promise<boolean> {
  const all = await sources.rows(rangesOf(chunks, bits));
  const note = async <Table extends IndexTable>(
    table: Table,
    partOf: (row: SourceRows[Table]) => IndexPart,
  ) => {
    const rows: AllRows[Table] = all[table];
    for (const row of rows) asRead.get(partOf(row))?.add(chunkOf(Number(row.id), bits), Number(row.print));
    await breathe();
    return rows;
  };
  const posts = await note('posts', () => 'posts');
  const events = addOccurrences(changes, posts, await note('tec_occurrences', () => 'tec_occurrences'));
  if (!events) return false;
  for (const { id, term } of await note('term_relationships', () => 'term_relationships'))
    if (events.has(Number(id))) changes.sets.add('term', Number(term), Number(id));
  for (const row of await note('postmeta', ({ kind }) => kind))
    if (events.has(Number(row.id))) addMeta(changes.sets, row);
  return true;
}

const chunkOf = (id: number, bits: number): number => Math.floor(id / 2 ** bits);

/** With how many bits of ids there are not too many chunks. */
function bitsFor(highest: number): number {
  return Math.max(LEAST_BITS, Math.ceil(Math.log2((highest + 1) / CHUNKS)));
}

/** Chunks, ascending, that are read by one statement each. */
function* batches(chunks: readonly number[], posts: ChunkDigests): Generator<number[]> {
  let batch: number[] = [];
  let events = 0;
  for (const chunk of chunks) {
    batch.push(chunk);
    events += posts.count(chunk);
    if (events < EVENTS && batch.length < RANGES) continue;
    yield batch;
    [batch, events] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

function rangesOf(chunks: readonly number[], bits: number): Ids[] {
  const ranges: Ids[] = [];
  for (const chunk of chunks) {
    const [from, to] = [chunk * 2 ** bits, (chunk + 1) * 2 ** bits - 1];
    const last = ranges.at(-1);
    if (last?.to === from - 1) last.to = to;
    else ranges.push({ from, to });
  }
  return ranges;
}

/** The ids of the published events that have occurrences; undefined where a date is none. */
function addOccurrences(
  { rows }: EventChanges,
  posts: readonly Printed<SourceRows['posts']>[],
  occurrences: readonly Printed<SourceRows['tec_occurrences']>[],
): Set<number> | undefined {
  const postedAt = new Map(posts.map(({ id, posted }) => [Number(id), sortableDate(posted)]));
  const events = new Set<number>();
  for (const { startsAt, endsAt, sortsAt, ...row } of occurrences) {
    const id = Number(row.id);
    const posted = postedAt.get(id);
    if (posted === undefined) continue;
    const [start, end, key] = [sortableDate(startsAt), sortableDate(endsAt), sortableDate(sortsAt)];
    if ([start, end, key, posted].some(Number.isNaN)) return undefined;
    rows.add({ id, start, end, key, posted });
    events.add(id);
  }
  return events;
}

function addMeta(sets: EventSetsBuilder, { id, kind, value }: SourceRows['postmeta']): void {
  if (kind === 'featured' || kind === 'hidden') sets.add(kind, 0, Number(id));
  else if (value !== null) addLink(sets, kind, value, Number(id));
}

/** SQL compares texts by their collation, which may find `5` in ` 5`, `5,` or other digits. */
function addLink(sets: EventSetsBuilder, kind: SetKind, value: string, event: number): void {
  if (ID.test(value)) sets.add(kind, Number(value), event);
  else if (SHORT_ASCII.test(value) && !NO_ID.test(value))
    sets.doubt(kind, Number(value.replace(/\D/g, '')), event);
  else if (!NO_ID.test(value)) sets.doubt(kind, ANY_ID, event);
}
