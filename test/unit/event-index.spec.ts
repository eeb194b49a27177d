import { Bits } from '../../src/events/bits.js';
import { GrowingNumbers } from '../../src/events/growing-numbers.js';
import { sortableDate } from '../../src/events/sortable-date.js';
import { EventRows } from '../../src/events/sorted-events.js';
import { sortedOrder } from '../../src/events/sorted-order.js';
import { Dice } from '../support/odd-values.js';

const breathe = async () => {};

describe('the parts of the index of dates', () => {
  it.each([0, 1, 4096, 4097, 30_000])('sorts %d keys, those that tie in their order', async (length) => {
    const dice = new Dice(length);
    const keys = Float64Array.from({ length }, () => dice.roll(1000));
    const sorted = [...keys.keys()].sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
    expect([...(await sortedOrder(keys, breathe))]).toEqual(sorted);
  });

  it('keeps numbers beyond one page', () => {
    const numbers = new GrowingNumbers(Float64Array);
    const all = Array.from({ length: 140_000 }, (_, at) => at * 3);
    for (const one of all) numbers.push(one);
    expect([...numbers.joined()]).toEqual(all);
    expect([0, 65_535, 65_536, 139_999].map((at) => numbers.at(at))).toEqual([0, 196_605, 196_608, 419_997]);
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
      [7, 30],
      [5, 20],
      [7, 10],
    ] as const)
      rows.add(id, start, start, start);
    const { events, places } = await rows.sorted(breathe);
    const found = (id: number) => {
      const positions: number[] = [];
      places.each(id, (at) => positions.push(at));
      return positions;
    };
    expect([...events.ids]).toEqual([7, 5, 7]);
    expect([5, 6, 7, 8].map(found)).toEqual([[1], [], [0, 2], []]);
    expect([...(events.repeats?.positions ?? [])]).toEqual([0, 2]);
  });

  it.each([
    ['2091-03-01 10:20:30', 20910301102030],
    ['0000-00-00 00:00:00', 0],
    ['2091-03-01', Number.NaN],
    ['2091-03-01 10:20:30.5', Number.NaN],
    ['soon', Number.NaN],
  ])('takes %s as a number', (date, number) => expect(sortableDate(date)).toBe(number));
});
