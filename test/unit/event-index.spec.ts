import sql from 'sql-template-tag';
import { Bits } from '../../src/resources/events/index/bits.js';
import { ChunkDigests } from '../../src/resources/events/index/chunk-digests.js';
import { type EventChanges, EventIndex } from '../../src/resources/events/index/event-index.js';
import { sortableDate } from '../../src/resources/events/index/sortable-date.js';
import { EventRows, NO_EVENTS } from '../../src/resources/events/index/sorted-events.js';
import { sortedOrder } from '../../src/resources/events/index/sorted-order.js';
import { SeededRandom } from '../support/unusual-values.js';

const yieldIfDue = async () => {};

describe('the parts of the index of dates', () => {
  it.each([0, 1, 4096, 4097, 30_000])('sort %d keys, and equal keys in their order', async (length) => {
    const dice = new SeededRandom(length);
    const keys = Float64Array.from({ length }, () => dice.roll(1000));
    const sorted = [...keys.keys()].sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
    expect([...(await sortedOrder(keys, yieldIfDue))]).toEqual(sorted);
  });

  it('count and page a set', () => {
    const bits = Bits.all(100);
    for (const at of [0, 31, 32, 99]) bits.remove(at);
    expect(bits.page(29, 4)).toEqual({ total: 96, positions: [30, 33, 34, 35] });
    expect(bits.page(94, 4)).toEqual({ total: 96, positions: [97, 98] });
    expect(bits.page(Number.MAX_SAFE_INTEGER, 4)).toEqual({ total: 96, positions: [] });
  });

  it('find all positions of an event', async () => {
    const rows = new EventRows();
    for (const [id, start] of [
      [5, 20],
      [7, 30],
      [7, 10],
    ] as const)
      rows.add({ id, row: 90 + start, start, end: start, key: start, posted: 0 });
    const { events, places } = await rows.mergedInto(NO_EVENTS, () => false, yieldIfDue);
    const found = (id: number) => {
      const positions: number[] = [];
      places.each(id, (at) => positions.push(at));
      return positions;
    };
    expect([...events.ids]).toEqual([7, 5, 7]);
    expect([5, 6, 7, 8].map(found)).toEqual([[1], [], [2, 0], []]);
    expect([...events.rows]).toEqual([100, 0, 120]);
  });

  it('merge changes as a full build would', async () => {
    const dice = new SeededRandom(11);
    const TYPES = ['term', 'venue', 'featured', 'hidden'] as const;
    type Event = { times: number[]; posted: number; sets: (readonly [(typeof TYPES)[number], number])[] };
    const created = (): Event => ({
      times: Array.from({ length: dice.roll(4) }, () => dice.roll(50)),
      posted: dice.roll(5),
      sets: Array.from({ length: dice.roll(4) }, () => [dice.pick(TYPES), dice.roll(3)]),
    });
    const put = ({ rows, sets }: EventChanges, id: number, { times, posted, sets: own }: Event) => {
      for (const [at, time] of times.entries())
        rows.add({ id, row: id * 10 + at, start: time, end: time + 5, key: time, posted });
      for (const [kind, set] of own)
        if (kind === 'venue' && set === 0) sets.doubt(kind, 9, id);
        else sets.add(kind, kind === 'hidden' || kind === 'featured' ? 0 : set, id);
    };
    const all = new Map<number, Event>(Array.from({ length: 3000 }, (_, id) => [id, created()]));
    const indexOf = (base: EventIndex, ids: Iterable<number>, isGone: (id: number) => boolean) => {
      const changes = base.changes();
      for (const id of [...ids].sort((a, b) => a - b)) put(changes, id, all.get(id) as Event);
      return base.with(changes, isGone, yieldIfDue);
    };
    let index = await indexOf(EventIndex.EMPTY, all.keys(), () => false);
    for (let round = 0; round < 5; round++) {
      const gone = new Set(Array.from({ length: 300 }, () => dice.roll(3300)));
      for (const id of gone) {
        all.delete(id);
        if (dice.roll(3) > 0) all.set(id, created());
      }
      index = await indexOf(
        index,
        [...gone].filter((id) => all.has(id)),
        (id) => gone.has(id),
      );
      const anew = await indexOf(EventIndex.EMPTY, all.keys(), () => false);
      const ask = (one: EventIndex, from: number, kind: 'term' | 'venue', id: number, featured?: boolean) =>
        one.find({
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

  it('find the chunks whose rows differ', () => {
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
  ])('convert %s to a number', (date, number) => expect(sortableDate(date)).toBe(number));
});
