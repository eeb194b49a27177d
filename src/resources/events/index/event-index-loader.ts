import type { Database } from '../../../database/database.js';
import type { TableSnapshot } from '../../../database/table-versions.service.js';
import type { ComparedColumns } from '../compared-columns.js';
import { ChunkDigests } from './chunk-digests.js';
import { type EventChanges, EventIndex } from './event-index.js';
import {
  EventIndexSources,
  type Ids,
  INDEX_PARTS,
  type IndexPart,
  type IndexTable,
  type SourceRows,
  tableOf,
} from './event-index-sources.js';
import { ANY_ID, type EventSetsBuilder, type SetKind } from './event-sets.js';
import { sortableDate } from './sortable-date.js';
import { STRIDE, type Yield, yielder } from './sorted-order.js';

/** Events or occurrences per transaction of a full read, which bounds the memory for their metas, and per statement. */
const SLICE = 250_000;
const ROWS = 10_000;
/** Events or occurrences per transaction of an update. */
const EVENTS = 2000;
/** Changes of a larger share of all events are slower to read one by one than everything. */
const MAX_SHARE = 0.2;
/** Concurrent digest statements of an update. */
const CONCURRENCY = 3;
/** Ranges of ids per statement. */
const RANGES = 100;
/** At most so many chunks of ids, each of at least 2^6. */
const CHUNKS = 1024;
const MIN_BITS = 6;

const ID = /^[1-9]\d{0,14}$/;
/** By no collation is a text with a letter the same as a number. */
const NO_ID = /[a-z]/i;
const SHORT_ASCII = /^[\0-\x7f]{0,19}$/;

type Digests = ReadonlyMap<IndexPart, ChunkDigests>;

/** An index, and the state that updates start from. */
export interface LoadedIndex {
  index: EventIndex;
  sources: EventIndexSources;
  /** A chunk is an id without so many of its last bits. */
  bits: number;
  /** Of the rows that the index was read from. */
  digests: Digests;
  /** Of all digests. */
  rows: number;
  /** The version of each part's table at its last comparison. */
  versions: ReadonlyMap<IndexPart, number>;
  /** The chunks that may have a post of several occurrences, in whichever status. */
  chunksWithSeveral: ReadonlySet<number>;
}

/** How an index is read. */
interface LoadOptions {
  database: Database;
  columns: ComparedColumns;
  /** Taken before anything is read. */
  versions: TableSnapshot;
  /** The parts to update; the others stay as they were. */
  parts: readonly IndexPart[];
  shouldContinue: () => Promise<boolean>;
}

/** State that all reads of one load share. */
interface Load extends LoadOptions {
  sources: EventIndexSources;
  yieldIfDue: Yield;
}

/** Reads an index, or updates one; undefined where dates are invalid, or it was cancelled. */
export async function loadEventIndex(
  options: LoadOptions,
  before?: LoadedIndex,
): Promise<LoadedIndex | undefined> {
  const sources = before?.sources ?? (await EventIndexSources.of(options.database, options.columns));
  const load = { ...options, sources, yieldIfDue: yielder() };
  const updated = before && (await update(load, before));
  return updated === 'too many changes' || !before ? readAll(load) : updated;
}

/** Reads all rows; each of their tables is scanned once. */
async function readAll(load: Load): Promise<LoadedIndex | undefined> {
  const { sources, versions, yieldIfDue } = load;
  const { highest, ...size } = await sources.size();
  const rows = Math.max(size.events, size.occurrences);
  const bits = bitsFor(highest);
  const digests = new Map(INDEX_PARTS.map((part) => [part, new ChunkDigests()]));
  const changes = EventIndex.EMPTY.changes();
  const chunksWithSeveral = new Set<number>();
  for (const slice of split({ from: 0, to: highest }, rows / SLICE)) {
    const statements = split(slice, (rows * (slice.to - slice.from + 1)) / (highest + 1) / ROWS);
    const isRead = await readRows(
      load,
      { ids: statements, isBulk: true, bits },
      { ...changes, chunksWithSeveral },
      digests,
    );
    if (!isRead || !(await load.shouldContinue())) return undefined;
  }
  return {
    index: await EventIndex.EMPTY.with(changes, () => false, yieldIfDue),
    ...{ sources, bits, digests, chunksWithSeveral, rows: totalOf(digests) },
    versions: new Map(INDEX_PARTS.map((part) => [part, versions.version(tableOf(part))])),
  };
}

/**
 * Compares the digests of the parts whose tables have changed, and reads the chunks that differ. The digests of these are then those
 * of the rows as they were read: changes in between differ next time.
 */
async function update(
  load: Load,
  before: LoadedIndex,
): Promise<LoadedIndex | 'too many changes' | undefined> {
  const { versions, parts, yieldIfDue } = load;
  const { bits } = before;
  const updated = new Map(
    INDEX_PARTS.map((part) => {
      const known = before.versions.get(part);
      return [part, known !== undefined && !parts.includes(part) ? known : versions.version(tableOf(part))];
    }),
  );
  const digests = await digestsOf(load, before, (part) => before.versions.get(part) === updated.get(part));
  if (!(await load.shouldContinue())) return undefined;
  const differing = new Set(
    [...digests].flatMap(([part, now]) => now.differing(before.digests.get(part) ?? new ChunkDigests())),
  );
  const loaded = { ...before, digests, rows: totalOf(digests), versions: updated };
  if (differing.size === 0) return loaded;
  const posts = digests.get('posts') ?? new ChunkDigests();
  const chunks = [...differing].filter((chunk) => posts.count(chunk) > 0).sort((a, b) => a - b);
  const events = chunks.reduce((sum, chunk) => sum + posts.count(chunk), 0);
  if (events > Math.max(EVENTS, posts.total * MAX_SHARE)) return 'too many changes';
  const changes = before.index.changes();
  const read = new Map(INDEX_PARTS.map((part) => [part, new ChunkDigests()]));
  const rowsOf = (chunk: number) =>
    Math.max(posts.count(chunk), digests.get('tec_occurrences')?.count(chunk) ?? 0);
  // Chunks without published events are not read: they may hold others with several occurrences.
  const unread = [...differing].filter((chunk) => posts.count(chunk) === 0 && rowsOf(chunk) > 1);
  const chunksWithSeveral = new Set([
    ...unread,
    ...[...before.chunksWithSeveral].filter((chunk) => !differing.has(chunk)),
  ]);
  for (const batch of batches(chunks, rowsOf)) {
    const ids = rangesOf(batch, bits);
    if (!(await readRows(load, { ids, isBulk: false, bits }, { ...changes, chunksWithSeveral }, read)))
      return undefined;
    if (!(await load.shouldContinue())) return undefined;
  }
  for (const [part, digest] of read) digests.get(part)?.replace(chunks, digest);
  const size = 2 ** bits;
  const isGone = (id: number) => differing.has(Math.floor(id / size));
  return { ...loaded, chunksWithSeveral, index: await before.index.with(changes, isGone, yieldIfDue) };
}

/** The digests of all parts, read unless they are the same as before. */
async function digestsOf(
  { sources, yieldIfDue }: Load,
  { digests: before, bits }: LoadedIndex,
  isSame: (part: IndexPart) => boolean,
): Promise<Digests> {
  const all = new Map<IndexPart, ChunkDigests>();
  const parts = INDEX_PARTS.values();
  const readNext = async () => {
    for (const part of parts) {
      const digests = new ChunkDigests(isSame(part) ? before.get(part) : undefined);
      all.set(part, digests);
      if (isSame(part)) continue;
      for (const { chunk, count, sum } of await sources.digests(part, bits))
        digests.set(Number(chunk), { count: Number(count), sum: Number(sum) });
      await yieldIfDue();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, readNext));
  return all;
}

/** Reads all rows of some posts, of one moment, with their digests; false where a date is invalid. */
function readRows(
  { sources, yieldIfDue }: Load,
  { ids, isBulk, bits }: { ids: readonly Ids[]; isBulk: boolean; bits: number },
  { rows, sets, chunksWithSeveral }: EventChanges & { chunksWithSeveral: Set<number> },
  digests: Digests,
): Promise<boolean> {
  return sources.atOneMoment(async (read) => {
    const each = async <Table extends IndexTable>(
      table: Table,
      statements: readonly (readonly Ids[])[],
      take: (row: SourceRows[Table], id: number) => IndexPart,
    ) => {
      for (const statement of statements)
        for (const [at, row] of (await read(table, statement, isBulk)).entries()) {
          if (at % STRIDE === 0) await yieldIfDue();
          const id = Number(row.id);
          digests.get(take(row, id))?.add(Math.floor(id / size), Number(row.checksum));
        }
    };
    // Computed once: powers would take longer than all the rest.
    const size = 2 ** bits;
    const postedAt = new Map<number, number>();
    const events = new Set<number>();
    let areValid = true;
    const statements = isBulk ? ids.map((one) => [one]) : [ids];
    await each('posts', statements, ({ posted }, id) => {
      postedAt.set(id, sortableDate(posted));
      return 'posts';
    });
    let previous = 0;
    await each('tec_occurrences', statements, ({ occurrence, startsAt, endsAt, sortsAt }, id) => {
      if (id === previous) chunksWithSeveral.add(Math.floor(id / size));
      previous = id;
      const posted = postedAt.get(id);
      if (posted === undefined) return 'tec_occurrences';
      const [start, end, key] = [sortableDate(startsAt), sortableDate(endsAt), sortableDate(sortsAt)];
      areValid &&= !Number.isNaN(start + end + key + posted);
      rows.add({ id, row: Number(occurrence), start, end, key, posted });
      events.add(id);
      return 'tec_occurrences';
    });
    if (!areValid) return false;
    await each('term_relationships', statements, ({ term }, id) => {
      if (events.has(id)) sets.add('term', Number(term), id);
      return 'term_relationships';
    });
    const [first, last] = [ids[0], ids.at(-1)];
    // By key all metas are found in one pass, whatever the posts.
    const passes = isBulk && first && last ? [[{ from: first.from, to: last.to }]] : [ids];
    await each('postmeta', passes, (row, id) => {
      if (events.has(id)) addMeta(sets, row, id);
      return row.kind;
    });
    return true;
  });
}

/** Enough bits for no more than the maximum of chunks. */
function bitsFor(highest: number): number {
  return Math.max(MIN_BITS, Math.ceil(Math.log2((highest + 1) / CHUNKS)));
}

/** So many parts of a range of ids, of equal length. */
function split({ from, to }: Ids, parts: number): Ids[] {
  const length = Math.ceil((to - from + 1) / Math.max(1, Math.ceil(parts)));
  const ranges: Ids[] = [];
  for (let at = from; at <= to; at += length) ranges.push({ from: at, to: Math.min(to, at + length - 1) });
  return ranges;
}

/** Ascending chunks, by the statement that reads them. */
function* batches(chunks: readonly number[], rowsOf: (chunk: number) => number): Generator<number[]> {
  let batch: number[] = [];
  let rows = 0;
  for (const chunk of chunks) {
    batch.push(chunk);
    rows += rowsOf(chunk);
    if (rows < EVENTS && batch.length < RANGES) continue;
    yield batch;
    [batch, rows] = [[], 0];
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

const totalOf = (digests: Digests): number =>
  [...digests.values()].reduce((sum, { total }) => sum + total, 0);

function addMeta(sets: EventSetsBuilder, { kind, value }: SourceRows['postmeta'], event: number): void {
  if (kind === 'featured' || kind === 'hidden') sets.add(kind, 0, event);
  else if (value !== null) addLink(sets, kind, value, event);
}

/** SQL compares texts by their collation, which may find `5` in ` 5`, `5,` or other digits. */
function addLink(sets: EventSetsBuilder, kind: SetKind, value: string, event: number): void {
  if (ID.test(value)) sets.add(kind, Number(value), event);
  else if (SHORT_ASCII.test(value) && !NO_ID.test(value))
    sets.doubt(kind, Number(value.replace(/\D/g, '')), event);
  else if (!NO_ID.test(value)) sets.doubt(kind, ANY_ID, event);
}
