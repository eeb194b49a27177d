import sql from 'sql-template-tag';
import { Bits } from '../../src/resources/events/index/bits.js';
import { ChunkDigests } from '../../src/resources/events/index/chunk-digests.js';
import { type EventChanges, EventIndex } from '../../src/resources/events/index/event-index.js';
import { GrowableFloat64Array } from '../../src/resources/events/index/growable-array.js';
import { sortableDate } from '../../src/resources/events/index/sortable-date.js';
import { EventRows, NO_EVENTS } from '../../src/resources/events/index/sorted-events.js';
import { sortedOrder } from '../../src/resources/events/index/sorted-order.js';
import { TypedArrayPool } from '../../src/resources/events/index/typed-array-pool.js';
import { SeededRandom } from '../support/unusual-values.js';

const breathe = async () => {};

describe('the parts of the index of dates', () => {
  it.each([0, 1, 4096, 4097, 30_000])('sorts %d keys, those that tie in their order', async (length) => {
    const dice = new SeededRandom(length);
    const keys = Float64Array.from({ length }, () => dice.roll(1000));
    const sorted = [...keys.keys()].sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
    expect([...(await sortedOrder(keys, breathe))]).toEqual(sorted);
  });

  it('keeps numbers beyond one page', () => {
    const numbers = new GrowableFloat64Array(Float64Array);
    const all = Array.from({ length: 140_000 }, (_, at) => at * 3);
    for (const one of all) numbers.push(one);
    expect([...numbers.singleFlight()]).toEqual(all);
    expect([0, 1023, 1024, 139_999].map((at) => numbers.at(at))).toEqual([0, 3069, 3072, 419_997]);
  });

  it('takes little memory for a few numbers', () => {
    const made: Float64Array[] = [];
    class Noted extends Float64Array {
      constructor(length: number) {
        super(length);
        made.push(this);
      }
    }
    const numbers = new GrowableFloat64Array(Noted);
    for (const one of [1, 2, 3]) numbers.push(one);
    expect(made.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThanOrEqual(8192);
  });

  it('counts and pages a set', () => {
    const bits = Bits.all(100);
    for (const at of [0, 31, 32, 99]) bits.remove(at);
    expect(bits.page(29, 4)).toEqual({ total: 96, positions: [30, 33, 34, 35] });
    expect(bits.page(94, 4)).toEqual({ total: 96, positions: [97, 98] });
    expect(bits.page(Number.MAX_SAFE_INTEGER, 4)).toEqual({ total: 96, positions: [] });
  });

  it('finds all places of an event', async () => {
    const rows = new EventRows();
    for (const [id, start] of [
      [5, 20],
      [7, 30],
      [7, 10],
    ] as const)
      rows.add({ id, start, end: start, key: start, posted: 0 });
    const { events, places } = await rows.mergedInto(NO_EVENTS, () => false, breathe);
    const found = (id: number) => {
      const positions: number[] = [];
      places.each(id, (at) => positions.push(at));
      return positions;
    };
    expect([...events.ids]).toEqual([7, 5, 7]);
    expect([5, 6, 7, 8].map(found)).toEqual([[1], [], [2, 0], []]);
    expect([...events.repeats.positions]).toEqual([0, 2]);
  });

  it('merges changes as if all had been new', async () => {
    const dice = new SeededRandom(11);
    const TYPES = ['term', 'venue', 'featured', 'hidden'] as const;
    type Event = { times: number[]; posted: number; sets: (readonly [(typeof TYPES)[number], number])[] };
    const made = (): Event => ({
      times: Array.from({ length: dice.roll(4) }, () => dice.roll(50)),
      posted: dice.roll(5),
      sets: Array.from({ length: dice.roll(4) }, () => [dice.pick(TYPES), dice.roll(3)]),
    });
    const put = ({ rows, sets }: EventChanges, id: number, { times, posted, sets: own }: Event) => {
      for (const time of times) rows.add({ id, start: time, end: time + 5, key: time, posted });
      for (const [kind, set] of own)
        if (kind === 'venue' && set === 0) sets.doubt(kind, 9, id);
        else sets.add(kind, kind === 'hidden' || kind === 'featured' ? 0 : set, id);
    };
    const all = new Map<number, Event>(Array.from({ length: 3000 }, (_, id) => [id, made()]));
    const indexOf = (base: EventIndex, ids: Iterable<number>, isGone: (id: number) => boolean) => {
      const changes = base.changes();
      for (const id of [...ids].sort((a, b) => a - b)) put(changes, id, all.get(id) as Event);
      return base.with(changes, isGone, breathe);
    };
    let index = await indexOf(EventIndex.EMPTY, all.keys(), () => false);
    for (let round = 0; round < 5; round++) {
      const gone = new Set(Array.from({ length: 300 }, () => dice.roll(3300)));
      for (const id of gone) {
        all.delete(id);
        if (dice.roll(3) > 0) all.set(id, made());
      }
      index = await indexOf(
        index,
        [...gone].filter((id) => all.has(id)),
        (id) => gone.has(id),
      );
      const anew = await indexOf(EventIndex.EMPTY, all.keys(), () => false);
      const ask = (one: EventIndex, from: number, kind: 'term' | 'venue', id: number, featured?: boolean) =>
        one.answer({
          columns: { start: sql``, end: sql``, order: sql``, convert: (wall) => wall },
          start: { from, to: 40 },
          end: { from: 0, to: 100 },
          sets: [{ kind, ids: [id] }],
          ...(featured !== undefined && { featured }),
          skip: 0,
          take: 5000,
        });
      for (const from of [0, 20])
        for (const [kind, id] of [
          ['term', 1],
          ['term', 2],
          ['venue', 1],
          ['venue', 9],
        ] as const)
          for (const featured of [true, false, undefined]) {
            const answer = ask(index, from, kind, id, featured);
            expect(answer).toEqual(ask(anew, from, kind, id, featured));
            if (id !== 9) expect(answer?.total).toBeGreaterThan(0);
          }
    }
  });

  it('answers who reads it while the next ones are made as if there were none', async () => {
    const question = {
      columns: { start: sql``, end: sql``, order: sql``, convert: (wall: string) => wall },
      ...{ start: { from: 0, to: 9e9 }, end: { from: 0, to: 9e9 }, sets: [], skip: 0, take: 20_000 },
    };
    const ids = Array.from({ length: 9000 }, (_, id) => id);
    const made = (base: EventIndex, shift: number) => {
      const changes = base.changes();
      for (const id of ids) {
        const start = (id * 7 + shift) % ids.length;
        changes.rows.add({ id, start, end: start, key: start, posted: 0 });
      }
      return base.with(changes, () => true, breathe);
    };
    const first = await made(EventIndex.EMPTY, 0);
    const all = first.answer(question);
    let latest = first;
    let isDone = false;
    const breatheLong = async () => {
      if (isDone) return;
      isDone = true;
      for (let shift = 1; shift < 6; shift++) latest = await made(latest, shift);
    };
    const reading = first.read(async () =>
      first.answer(question, { among: [await first.positionsOf({ has: () => true }, breatheLong)] }),
    );
    expect(await reading).toEqual(all);
    expect(latest.answer(question)).toEqual((await made(EventIndex.EMPTY, 5)).answer(question));
    // Two that are made of one and the same know nothing of each other.
    const [one, other] = [await made(latest, 6), await made(latest, 7)];
    const [next, last] = [await made(one, 8), await made(other, 9)];
    for (const [index, shift] of [
      [one, 6],
      [other, 7],
      [next, 8],
      [last, 9],
    ] as const)
      expect(index.answer(question)).toEqual((await made(EventIndex.EMPTY, shift)).answer(question));
  });

  it('uses memory again that nobody reads', () => {
    const [large, small] = [new Float64Array(1015), new Float64Array(10)];
    const spares = new TypedArrayPool([large, large, small]);
    expect(spares.take(Uint32Array, 100).buffer).not.toBe(large.buffer);
    const again = spares.take(Uint32Array, 2010);
    expect(again.buffer).toBe(large.buffer);
    expect(again).toHaveLength(2010);
    const further = spares.take(Float64Array, 1000);
    expect([large.buffer, small.buffer]).not.toContain(further.buffer);
  });

  it('finds the chunks whose rows differ', () => {
    const digests = (rows: [number, number][]) => {
      const all = new ChunkDigests();
      for (const [chunk, print] of rows) all.add(chunk, print);
      return all;
    };
    const one = digests([
      [1, 7],
      [1, 7],
      [2, 5],
      [4, 1],
    ]);
    const two = digests([
      [1, 14],
      [2, 5],
      [3, 0],
    ]);
    expect(one.differing(two).sort()).toEqual([1, 3, 4]);
    const mended = new ChunkDigests(two);
    mended.replace([1, 3, 4], one);
    expect(mended.differing(one)).toEqual([]);
    expect([two.count(3), two.total, mended.total]).toEqual([1, 3, 4]);
  });

  it.each([
    ['2091-03-01 10:20:30', 20910301102030],
    ['0000-00-00 00:00:00', 0],
    ['2091-03-01', Number.NaN],
    ['2091-03-01 10:20:30.5', Number.NaN],
    ['soon', Number.NaN],
  ])('takes %s as a number', (date, number) => expect(sortableDate(date)).toBe(number));
});
