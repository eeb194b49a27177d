import { STRIDE, sortedOrder, type Yield } from './sorted-order.js';

const COLUMNS = ['ids', 'starts', 'ends', 'keys', 'posted', 'rows'] as const;

/**
 * The occurrences of events in the order of lists, column by column: by key, then by when the event was posted, by id, and by row.
 * `rows` is 0 for the only occurrence of an event, and empty where all are such.
 */
export type SortedEvents = Record<(typeof COLUMNS)[number], Float64Array>;

/** One occurrence; dates as `sortableDate` gives them. */
export interface Occurrence {
  /** Of its post. */
  id: number;
  /** Its `occurrence_id`. */
  row: number;
  start: number;
  end: number;
  key: number;
  posted: number;
}

/** In place of a position that was removed. */
export const GONE = 0xffffffff;

/** Whether an event is removed, with all its occurrences. */
export type IsGone = (id: number) => boolean;

/** The outcome of a merge. */
export interface Merged {
  events: SortedEvents;
  /** The new position of each old one, or `GONE`. */
  moved: Uint32Array;
  /** The positions of the new occurrences. */
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
  rows: NOTHING,
};

/** New occurrences, ascending by id and row; all of an event. */
export class EventRows {
  private readonly columns: Record<(typeof COLUMNS)[number], number[]> = {
    ids: [],
    starts: [],
    ends: [],
    keys: [],
    posted: [],
    rows: [],
  };

  /** Whether keys are starts, as on most sites: they share one array then. */
  private areByStart = true;

  add({ id, row, start, end, key, posted }: Occurrence): void {
    const { columns } = this;
    this.areByStart &&= key === start;
    columns.ids.push(id);
    columns.starts.push(start);
    columns.ends.push(end);
    columns.keys.push(key);
    columns.posted.push(posted);
    columns.rows.push(row);
  }

  /** The old occurrences, without the events that are gone, merged with these. */
  async mergedInto(base: SortedEvents, isGone: IsGone, yieldIfDue: Yield): Promise<Merged> {
    const added = { ...NO_EVENTS };
    for (const name of COLUMNS) added[name] = Float64Array.from(this.columns[name]);
    added.rows = ofSeveral(added);
    const order = await orderOf(added, yieldIfDue);
    const total = base.ids.length;
    const moved = new Uint32Array(total).fill(GONE);
    const positions = new Uint32Array(order.length);
    // The old position of each occurrence, or the complement of the new row.
    const from = new Int32Array(total + order.length);
    let [at, next] = [0, 0];
    const takeNext = () => {
      const row = order[next++] ?? 0;
      positions[row] = at;
      from[at++] = ~row;
    };
    for (let old = 0; old < total; old++) {
      if (old % STRIDE === 0) await yieldIfDue();
      if (isGone(base.ids[old] ?? 0)) continue;
      while (next < order.length && isBefore(added, order[next] ?? 0, base, old)) takeNext();
      moved[old] = at;
      from[at++] = old;
    }
    while (next < order.length) takeNext();
    const events = { ...NO_EVENTS };
    const areByStart = this.areByStart && base.keys === base.starts;
    for (const name of COLUMNS)
      if (name === 'keys' && areByStart) events.keys = events.starts;
      else if (base[name].length + added[name].length > 0)
        events[name] = await merged(from.subarray(0, at), base[name], added[name], yieldIfDue);
    if (events.rows.every((row) => row === 0)) events.rows = NOTHING;
    return { events, moved, places: new EventPlaces(added.ids, positions) };
  }
}

/** Finds the positions of new occurrences by the ids of their events. */
export class EventPlaces {
  /** The first row of the last event: terms and metas of one event follow each other. */
  private last = 0;

  constructor(
    /** Ascending. */
    private readonly ids: Float64Array,
    private readonly positions: Uint32Array,
  ) {}

  /** Calls back with each position of an event; never for a post that is no event. */
  each(id: number, take: (position: number) => void): void {
    if (this.ids[this.last] !== id) this.last = this.first(id);
    for (let at = this.last; this.ids[at] === id; at++) take(this.positions[at] ?? 0);
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

async function orderOf({ keys, posted }: SortedEvents, yieldIfDue: Yield): Promise<Uint32Array> {
  const byPosted = await sortedOrder(posted, yieldIfDue);
  const byKey = await sortedOrder(
    Float64Array.from(byPosted, (row) => keys[row] ?? 0),
    yieldIfDue,
  );
  return byKey.map((place) => byPosted[place] ?? 0);
}

function isBefore(one: SortedEvents, row: number, other: SortedEvents, place: number): boolean {
  for (const name of ['keys', 'posted', 'ids', 'rows'] as const) {
    const [left = 0, right = 0] = [one[name][row], other[name][place]];
    if (left !== right) return left < right;
  }
  return false;
}

async function merged(
  from: Int32Array,
  base: Float64Array,
  added: Float64Array,
  yieldIfDue: Yield,
): Promise<Float64Array> {
  const column = new Float64Array(from.length);
  for (let at = 0; at < column.length; at++) {
    if (at % STRIDE === 0) await yieldIfDue();
    const place = from[at] ?? 0;
    column[at] = (place < 0 ? added[~place] : base[place]) ?? 0;
  }
  return column;
}

/** The rows of events with several, else 0; empty where there are none. */
function ofSeveral({ ids, rows }: SortedEvents): Float64Array {
  const isOne = (at: number) => ids[at] !== ids[at - 1] && ids[at] !== ids[at + 1];
  const several = rows.map((row, at) => (isOne(at) ? 0 : row));
  return several.some((row) => row > 0) ? several : NOTHING;
}
