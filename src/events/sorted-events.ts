import { GrowingNumbers } from './growing-numbers.js';
import { type Breathe, sortedOrder, STRIDE } from './sorted-order.js';

/** The occurrences of events in the order of lists, column by column. */
export interface SortedEvents {
  ids: Float64Array;
  starts: Float64Array;
  ends: Float64Array;
  /** Events with several occurrences, if any: the positions of these, and the number of its event for each position. */
  repeats?: { positions: Uint32Array; events: Uint32Array };
}

/** Occurrences in the order in which events with the same start are listed. */
export class EventRows {
  private readonly ids = new GrowingNumbers(Float64Array);
  private readonly starts = new GrowingNumbers(Float64Array);
  private readonly ends = new GrowingNumbers(Float64Array);
  private readonly keys = new GrowingNumbers(Float64Array);

  add(id: number, start: number, end: number, key: number): void {
    this.ids.push(id);
    this.starts.push(start);
    this.ends.push(end);
    this.keys.push(key);
  }

  /** In the order of lists, with a way to find where an event stands. */
  async sorted(breathe: Breathe): Promise<{ events: SortedEvents; places: EventPlaces }> {
    const order = await sortedOrder(this.keys.joined(), breathe);
    const total = order.length;
    const columns = [this.ids, this.starts, this.ends] as const;
    const events = {
      ids: new Float64Array(total),
      starts: new Float64Array(total),
      ends: new Float64Array(total),
    };
    const [ids, starts, ends] = columns;
    for (let at = 0; at < total; at++) {
      if (at % STRIDE === 0) await breathe();
      const row = order[at] ?? 0;
      events.ids[at] = ids.at(row);
      events.starts[at] = starts.at(row);
      events.ends[at] = ends.at(row);
    }
    const places = await EventPlaces.of(events.ids, breathe);
    return { events: { ...events, ...(await places.repeats(breathe)) }, places };
  }
}

/** Finds the positions of an event by its id. */
export class EventPlaces {
  private constructor(
    private readonly ids: Float64Array,
    private readonly positions: Uint32Array,
  ) {}

  static async of(ids: Float64Array, breathe: Breathe): Promise<EventPlaces> {
    const positions = await sortedOrder(ids, breathe);
    const sorted = new Float64Array(ids.length);
    for (let at = 0; at < sorted.length; at++) {
      if (at % STRIDE === 0) await breathe();
      sorted[at] = ids[positions[at] ?? 0] ?? 0;
    }
    return new EventPlaces(sorted, positions);
  }

  /** Tells each position of an event, in ascending order; none for a post that is none. */
  each(id: number, tell: (position: number) => void): void {
    let [low, high] = [0, this.ids.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.ids[middle] ?? 0) < id) low = middle + 1;
      else high = middle;
    }
    for (let at = low; this.ids[at] === id; at++) tell(this.positions[at] ?? 0);
  }

  async repeats(breathe: Breathe): Promise<Pick<SortedEvents, 'repeats'>> {
    const { ids, positions } = this;
    const repeated = new GrowingNumbers(Float64Array);
    const events = new Uint32Array(ids.length);
    for (let at = 0, event = 0; at < ids.length; at++) {
      if (at % STRIDE === 0) await breathe();
      const isAsBefore = ids[at] === ids[at - 1];
      if (!isAsBefore) event += 1;
      const position = positions[at] ?? 0;
      events[position] = event;
      if (isAsBefore || ids[at] === ids[at + 1]) repeated.push(position);
    }
    if (repeated.length === 0) return {};
    const keys = repeated.joined();
    const order = await sortedOrder(keys, breathe);
    return { repeats: { positions: order.map((at) => keys[at] ?? 0), events } };
  }
}
