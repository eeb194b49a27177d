import { GrowableFloat64Array } from './growable-array.js';
import { type Yield, STRIDE, sortedOrder } from './sorted-order.js';
import { TypedArrayPool } from './typed-array-pool.js';

const COLUMNS = ['ids', 'starts', 'ends', 'keys', 'posted'] as const;

/** The occurrences of events in the order of lists, column by column: by key, then by when the event was posted, then by id. */
export interface SortedEvents extends Record<(typeof COLUMNS)[number], Float64Array> {
  /** Those of events with several: their positions, and the number of the event of each. */
  repeats: { positions: Uint32Array; events: Uint32Array };
}

/** One occurrence; dates as `sortableDate` gives them. */
export interface Occurrence {
  id: number;
  start: number;
  end: number;
  key: number;
  posted: number;
}

/** A position that is none any more. */
export const GONE = 0xffffffff;

/** Tells which events are left out; whoever is, is left out with all occurrences. */
export type IsGone = (id: number) => boolean;

/** The outcome of a merge. */
export interface Merged {
  events: SortedEvents;
  /** For each position before, the one it has now, or `GONE`. */
  moved: Uint32Array;
  /** The other way round. */
  from: Int32Array;
  /** Where the new occurrences stand. */
  places: EventPlaces;
}

const NOTHING = new Float64Array();

/** No events. */
export const NO_EVENTS: SortedEvents = {
  ids: NOTHING,
  starts: NOTHING,
  ends: NOTHING,
  keys: NOTHING,
  posted: NOTHING,
  repeats: { positions: new Uint32Array(), events: new Uint32Array() },
};

/** Occurrences that are new, those with low ids first. */
export class EventRows {
  private readonly columns = {
    ids: new GrowableFloat64Array(Float64Array),
    starts: new GrowableFloat64Array(Float64Array),
    ends: new GrowableFloat64Array(Float64Array),
    keys: new GrowableFloat64Array(Float64Array),
    posted: new GrowableFloat64Array(Float64Array),
  };

  /** Whether keys are starts, as on most sites: they are kept once then. */
  private areByStart = true;

  add({ id, start, end, key, posted }: Occurrence): void {
    const { columns } = this;
    this.areByStart &&= key === start;
    columns.ids.push(id);
    columns.starts.push(start);
    columns.ends.push(end);
    columns.keys.push(key);
    columns.posted.push(posted);
  }

  /** Those that were there, but for the ones that are gone, with these between them. */
  async mergedInto(
    base: SortedEvents,
    isGone: IsGone,
    breathe: Yield,
    spares = new TypedArrayPool(),
  ): Promise<Merged> {
    const added = { ...NO_EVENTS };
    for (const name of COLUMNS) added[name] = this.columns[name].singleFlight();
    const order = await orderOf(added, breathe);
    const total = base.ids.length;
    const moved = spares.take(Uint32Array, total).fill(GONE);
    const positions = new Uint32Array(order.length);
    // Of rows that were there the position, of new ones the complement of the row.
    const from = spares.take(Int32Array, total + order.length);
    let [at, next] = [0, 0];
    const take = (row: number) => {
      positions[row] = at;
      from[at++] = ~row;
    };
    for (let old = 0; old < total; old++) {
      if (old % STRIDE === 0) await breathe();
      if (isGone(base.ids[old] ?? 0)) continue;
      for (; next < order.length && isBefore(added, order[next] ?? 0, base, old); next++)
        take(order[next] ?? 0);
      moved[old] = at;
      from[at++] = old;
    }
    for (; next < order.length; next++) take(order[next] ?? 0);
    const events = { ...NO_EVENTS };
    const areByStart = this.areByStart && base.keys === base.starts;
    for (const name of COLUMNS)
      events[name] =
        name === 'keys' && areByStart
          ? events.starts
          : await taken(
              from.subarray(0, at),
              base[name],
              added[name],
              spares.take(Float64Array, at),
              breathe,
            );
    events.repeats = repeatsOf(events.ids, [
      ...[...base.repeats.positions].map((old) => moved[old] ?? GONE),
      ...repeated(added.ids).map((row) => positions[row] ?? 0),
    ]);
    return { events, moved, from, places: new EventPlaces(added.ids, positions) };
  }
}

/** Finds the positions of new occurrences by the ids of their events. */
export class EventPlaces {
  /** Where the event asked for last begins: terms and metas of one event come one after the other. */
  private last = 0;

  constructor(
    /** Ascending. */
    private readonly ids: Float64Array,
    private readonly positions: Uint32Array,
  ) {}

  /** Tells each position of an event; none for a post that is none. */
  each(id: number, tell: (position: number) => void): void {
    if (this.ids[this.last] !== id) this.last = this.first(id);
    for (let at = this.last; this.ids[at] === id; at++) tell(this.positions[at] ?? 0);
  }

  private first(id: number): number {
    let [low, high] = [0, this.ids.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.ids[middle] ?? 0) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

async function orderOf({ keys, posted }: SortedEvents, breathe: Yield): Promise<Uint32Array> {
  const byPosted = await sortedOrder(posted, breathe);
  const byKey = await sortedOrder(
    Float64Array.from(byPosted, (row) => keys[row] ?? 0),
    breathe,
  );
  return byKey.map((place) => byPosted[place] ?? 0);
}

function isBefore(one: SortedEvents, row: number, other: SortedEvents, place: number): boolean {
  for (const name of ['keys', 'posted', 'ids'] as const) {
    const [left = 0, right = 0] = [one[name][row], other[name][place]];
    if (left !== right) return left < right;
  }
  return false;
}

async function taken(
  from: Int32Array,
  base: Float64Array,
  added: Float64Array,
  column: Float64Array,
  breathe: Yield,
): Promise<Float64Array> {
  for (let at = 0; at < column.length; at++) {
    if (at % STRIDE === 0) await breathe();
    const place = from[at] ?? 0;
    column[at] = (place < 0 ? added[~place] : base[place]) ?? 0;
  }
  return column;
}

/** Rows of events that have several. */
function repeated(ids: Float64Array): number[] {
  const rows: number[] = [];
  for (let row = 0; row < ids.length; row++)
    if (ids[row] === ids[row - 1] || ids[row] === ids[row + 1]) rows.push(row);
  return rows;
}

function repeatsOf(ids: Float64Array, found: readonly number[]): SortedEvents['repeats'] {
  const positions = Uint32Array.from(found.filter((at) => at !== GONE)).sort();
  const numbers = new Map<number, number>();
  const events = positions.map((at) => {
    const id = ids[at] ?? 0;
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    return number;
  });
  return { positions, events };
}
