import { combine, Expiring } from '../../src/cache/expiring.js';
import { RequestTime } from '../../src/http/request-time.js';

const NOW = Date.parse('2030-01-15T12:34:56.700Z');
const NEVER = Number.POSITIVE_INFINITY;
const at = (text: string) => Date.parse(`2030-01-15T${text}Z`);

describe('the time of a request', () => {
  it('lets the response expire with the first value that was handed out', () => {
    const time = new RequestTime(NOW);
    expect(time.validity()).toEqual({ from: NOW, until: NEVER });
    time.within(15 * 60_000, () => 'quarter');
    expect(time.validity().until).toBe(at('12:45:00'));
    expect(time.atSecond((seconds) => seconds)).toEqual(new Expiring(Math.floor(NOW / 1000), at('12:34:57')));
    time.expiring('cached', at('12:40:00'));
    expect(time.validity().until).toBe(at('12:34:57'));
  });

  it('lets the response expire with the second while plugins filter reads', () => {
    expect(new RequestTime(NOW, true).validity().until).toBe(at('12:34:57'));
  });

  it('keeps a steady value valid for ever, for the hour or for the second', () => {
    const expiryOf = (make: (seconds: number) => number) =>
      new RequestTime(NOW).steady(make, Object.is).expiresAt;
    expect(expiryOf(() => 1)).toBe(NEVER);
    expect(expiryOf((seconds) => Math.floor(seconds / 86_400))).toBe(at('13:00:00'));
    expect(expiryOf((seconds) => seconds)).toBe(at('12:34:57'));
  });

  it('treats values cached at a later time, and expired ones, as invalid', () => {
    const time = new RequestTime(NOW);
    expect(time.isWithin({ from: NOW, until: NOW + 1 })).toBe(true);
    expect(time.isWithin({ from: NOW + 1, until: NOW + 2 })).toBe(false);
    expect(time.isWithin({ from: NOW - 1, until: NOW })).toBe(false);
    expect(time.isWithin({ from: NOW + 1, until: NEVER })).toBe(true);
  });

  it('lets a composed value expire with the first of its parts', () => {
    const parts = [new Expiring('a', 30), Expiring.of('b'), new Expiring('c', 20)];
    expect(combine((unwrap) => parts.map(unwrap).join(''))).toEqual(new Expiring('abc', 20));
  });
});
