import sql, { raw, type Sql } from 'sql-template-tag';
import type { Database } from '../../../database/database.js';
import type { ListEntry, Place } from '../../../wordpress/posts/list-order.js';
import { inList } from '../../../wordpress/posts/post-rows.js';
import { MIN_DATE, type ModifiedEdge, postOrderKeys } from '../../base/list-additions.js';
import { EVENT } from '../event-type.js';
import { Bits } from './bits.js';
import type { EventIndex } from './event-index.js';
import type { EventOrder } from './event-order.js';
import { sortableDate } from './sortable-date.js';
import { STRIDE, sortedOrder, type Yield } from './sorted-order.js';

/** Events per statement. */
const EVENTS = 5000;
/** Titles that one statement compares with a cursor's. */
const TITLES = 64;
/** Marks these statements in the server's process list. */
const NOTE = raw('/* orders of events */');

type Column = Float64Array | Uint32Array;

/** An order with its column; `after` finds a cursor's place in it, undefined where the place is invalid. */
interface KnownOrder extends EventOrder {
  column: Column;
  after(place: Place): Promise<(ListEntry & { value: number }) | undefined>;
}

interface Times {
  utc: Float64Array;
  local: Float64Array;
}

/** Runs one read after the other. */
type Enqueue = <T>(read: () => Promise<T>) => Promise<T>;

/**
 * Orders and times of change of the events of one index, as of one version of `posts`; each is read and sorted once
 * (docs/behaviour/caching.md#orders).
 */
export class EventColumns {
  private readonly orders = new Map<string, Promise<KnownOrder | undefined>>();
  private byId?: ReturnType<EventIndex['byId']>;
  private times?: Promise<Times | undefined>;

  constructor(
    readonly index: EventIndex,
    readonly version: number,
    private readonly database: Database,
    private readonly enqueue: Enqueue,
    private readonly yieldIfDue: Yield,
  ) {}

  /** An order by its name, except `distance`. */
  order(name: string): Promise<KnownOrder | undefined> {
    const known = this.orders.get(name) ?? this.read(name);
    this.orders.set(name, known);
    // A failed read is repeated.
    known.catch(() => this.orders.delete(name));
    return known;
  }

  /** The positions of events last changed within all edges; undefined where a time is invalid. */
  async changed(edges: readonly ModifiedEdge[]): Promise<Bits | undefined> {
    const times = await this.modifiedTimes();
    if (!times) return undefined;
    const { utc, local } = times;
    const first = sortableDate(MIN_DATE);
    const found = Bits.all(utc.length);
    for (const edge of edges) {
      const [inUtc, onSite] = [sortableDate(edge.utc), sortableDate(edge.local)];
      if (Number.isNaN(inUtc + onSite)) return undefined;
      for (let at = 0; at < utc.length; at++) {
        const known = utc[at] ?? 0;
        const isAfter = known >= first ? known >= inUtc : (local[at] ?? 0) >= onSite;
        if (isAfter !== edge.isAfter) found.remove(at);
      }
    }
    return found;
  }

  private modifiedTimes(): Promise<Times | undefined> {
    const times = this.times ?? this.enqueue(() => this.readTimes());
    this.times = times;
    times.catch(() => {
      this.times = undefined;
    });
    return times;
  }

  private async read(name: string): Promise<KnownOrder | undefined> {
    if (name === 'title')
      return this.enqueue(async () =>
        this.byColumn(await this.readRanks(), (place, sorted) => this.placeOfTitle(place, sorted)),
      );
    const column = name === 'modified' ? (await this.modifiedTimes())?.local : this.index.column(name);
    return column && this.enqueue(() => this.byColumn(column, async (place) => placeIn(place)));
  }

  /** Sorts by a column; ties by id. */
  private async byColumn(
    column: Column,
    placed: (place: Place, order: EventOrder & { column: Column }) => ReturnType<KnownOrder['after']>,
  ): Promise<KnownOrder> {
    const { positions: byId } = await this.eachId();
    const values = Float64Array.from(byId, (at) => column[at] ?? 0);
    const order = await sortedOrder(values, this.yieldIfDue);
    const positions = order.map((place) => byId[place] ?? 0);
    const known = { positions, column, value: (place: number) => column[positions[place] ?? 0] ?? 0 };
    return { ...known, after: (place) => placed(place, known) };
  }

  private eachId() {
    this.byId ??= this.index.byId(this.yieldIfDue);
    return this.byId;
  }

  /** The number of titles before each one, in the database's order. */
  private async readRanks(): Promise<Uint32Array> {
    const { places, positions } = await this.eachId();
    const ranks = new Uint32Array(positions.length);
    const rows = await this.database.query<{ id: number | string; place: number | string }>(
      sql`SELECT ${NOTE} p.ID AS id, RANK() OVER (ORDER BY ${this.title}) AS place
          FROM ${this.posts} WHERE ${PUBLISHED}`,
    );
    for (const [count, { id, place }] of rows.entries()) {
      if (count % STRIDE === 0) await this.yieldIfDue();
      // Events published since have no position; deleted ones are noticed when their rows are read.
      places.each(Number(id), (at) => {
        ranks[at] = Number(place);
      });
    }
    return ranks;
  }

  private async readTimes(): Promise<Times | undefined> {
    const { ids, places, positions } = await this.eachId();
    const times = { utc: new Float64Array(ids.length), local: new Float64Array(ids.length) };
    const idAt = (place: number) => ids[positions[Math.min(place, positions.length - 1)] ?? 0] ?? 0;
    for (let from = 0; from < positions.length; from += EVENTS) {
      const rows = await this.database.query<{ id: number | string; utc: string; local: string }>(
        sql`SELECT ${NOTE} p.ID AS id, p.post_modified_gmt AS utc, p.post_modified AS ${this.database.column('local')}
            FROM ${this.posts} WHERE ${PUBLISHED}
            AND p.ID BETWEEN ${idAt(from)} AND ${idAt(from + EVENTS - 1)}`,
      );
      for (const { id, utc, local } of rows) {
        const [inUtc, onSite] = [sortableDate(utc), sortableDate(local)];
        if (Number.isNaN(inUtc + onSite)) return undefined;
        places.each(Number(id), (at) => {
          times.utc[at] = inUtc;
          times.local[at] = onSite;
        });
      }
      await this.yieldIfDue();
    }
    return times;
  }

  /** The place of a title among the ranks: the database compares it with some titles at a time, as in a binary search. */
  private async placeOfTitle(
    { value, ...entry }: Place,
    { positions, column }: { positions: Uint32Array; column: Column },
  ) {
    const { ids } = await this.eachId();
    const idAt = (place: number) => ids[positions[place] ?? 0] ?? 0;
    const compared = async (places: readonly number[]) => {
      const rows = await this.database.query<{ id: number | string; before: unknown; same: unknown }>(
        sql`SELECT ${NOTE} p.ID AS id, ${this.title} < ${value} AS ${this.database.column('before')}, ${this.title} = ${value} AS same
            FROM ${this.posts} WHERE ${inList(sql`p.ID`, places.map(idAt))}`,
      );
      return new Map(rows.map((row) => [Number(row.id), row]));
    };
    let [low, high] = [0, positions.length];
    while (low < high) {
      const step = Math.ceil((high - low) / TITLES);
      const places = Array.from({ length: Math.ceil((high - low) / step) }, (_, at) => low + at * step);
      const rows = await compared(places);
      if (places.some((place) => !rows.has(idAt(place)))) return undefined;
      const next = places.findIndex((place) => Number(rows.get(idAt(place))?.before) === 0);
      const last = places.at(next < 0 ? -1 : next - 1);
      high = next < 0 ? high : (places[next] ?? high);
      low = next === 0 || last === undefined ? high : last + 1;
    }
    if (low === positions.length) return { ...entry, value: Number.POSITIVE_INFINITY };
    const isSame = Number((await compared([low])).get(idAt(low))?.same) === 1;
    const rank = column[positions[low] ?? 0] ?? 0;
    return { ...entry, value: isSame ? rank : rank - 0.5 };
  }

  /** Titles of events are visible without their password. */
  private get title(): Sql {
    const { title } = postOrderKeys(this.database);
    if (!title) throw new Error('lists of posts are not sorted by title');
    return title.key;
  }

  private get posts(): Sql {
    return sql`${this.database.table('posts')} p`;
  }
}

/** The place of a date or a number. */
export function placeIn({ value, ...entry }: Place): (ListEntry & { value: number }) | undefined {
  const number = typeof value === 'number' ? value : sortableDate(value);
  return Number.isNaN(number) ? undefined : { ...entry, value: number };
}

const PUBLISHED = sql`p.post_type = ${EVENT.type} AND p.post_status = 'publish'`;
