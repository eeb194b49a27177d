import { SeededRandom } from './unusual-values.js';

/** Zones with days on which their clocks change: by an hour or less, at midnight, or by a whole day. */
const CHANGES: readonly [zone: string, ...days: string[]][] = [
  ['Europe/Berlin', '2027-03-28', '2027-10-31'],
  ['Europe/London', '2027-03-28', '2027-10-31'],
  ['America/New_York', '2027-03-14', '2027-11-07'],
  ['America/St_Johns', '2027-03-14', '2027-11-07'],
  ['America/Havana', '2027-03-14', '2027-11-07'],
  ['America/Sao_Paulo', '2018-02-18', '2018-11-04'],
  ['Asia/Beirut', '2022-03-27', '2022-10-30'],
  ['Australia/Lord_Howe', '2027-04-04', '2027-10-03'],
  ['Pacific/Auckland', '2027-04-04', '2027-09-26'],
  ['Pacific/Apia', '2011-12-30', '2011-09-24'],
];

/** A rule with a start on the wall clock of a zone, `2027-03-01T18:00:00`. */
export interface RandomRule {
  zone: string;
  start: string;
  rule: string;
}

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
const SHORT = ['HOURLY', 'MINUTELY', 'SECONDLY'];
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
/** Days after the start at which a rule ends: dateutil would look for dates up to the year 9999. */
const LENGTHS: Readonly<Record<string, number>> = {
  ...{ SECONDLY: 0.1, MINUTELY: 2, HOURLY: 60, DAILY: 800 },
  ...{ WEEKLY: 1200, MONTHLY: 4000, YEARLY: 20_000 },
};

/**
 * Random rules that RFC 5545 allows, with starts around a change of clocks. Left out is where dateutil is known to differ,
 * as test/fixtures/recurrence/make-vectors.py lists it.
 */
export function randomRules(count: number, seed: number): RandomRule[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, (_, at) => {
    const [zone, ...days] = CHANGES[at % CHANGES.length] ?? ['UTC', '2027-01-01'];
    // A gap of a day has too many minutes.
    const short = zone === 'Pacific/Apia' ? ['HOURLY'] : SHORT;
    const freq = random.roll(5) === 0 ? random.pick(short) : random.pick(FREQUENCIES);
    const reach = freq === 'SECONDLY' || freq === 'MINUTELY' ? 1 : 40;
    const midnight = Date.parse(`${random.pick(days)}T00:00:00Z`) - (random.roll(reach) + 1) * 86_400_000;
    // Half of them in the hours in which clocks change.
    const hour = random.roll(2) === 0 ? random.roll(4) : random.roll(24);
    const time = (hour * 60 + random.pick([0, 15, 30, 45, random.roll(60)])) * 60_000;
    return ruleFrom(random, zone, freq, midnight + time + random.pick([0, 0, 0, 59]) * 1000);
  });
}

function ruleFrom(random: SeededRandom, zone: string, freq: string, time: number): RandomRule {
  const numbers = (most: number, from: number, to: number) =>
    random
      .some(
        1 + random.roll(most),
        Array.from({ length: to - from + 1 }, (_, at) => from + at),
      )
      .map((one) => one || from)
      .join(',');
  const parts: string[] = [];
  const sometimes = (chance: number, part: () => string) => {
    if (random.roll(chance) === 0) parts.push(part());
  };
  const isShort = SHORT.includes(freq);
  const isYearly = freq === 'YEARLY';
  const isByMonth = () => parts.some((part) => part.startsWith('BYMONTH='));
  const weekdays = () => random.some(1 + random.roll(4), WEEKDAYS).join(',');
  const numbered = () =>
    random
      .some(1 + random.roll(3), WEEKDAYS)
      .map(
        (day) =>
          `${random.pick([1, 2, 3, 4, 5, -1, -2, -5, ...(isYearly && !isByMonth() ? [20, 53, -53] : [])])}${day}`,
      )
      .join(',');
  sometimes(2, () => `INTERVAL=${1 + random.roll(isShort ? 50 : 4)}`);
  const weekStart = random.pick(WEEKDAYS);
  sometimes(3, () => `WKST=${weekStart}`);
  const isByWeek = isYearly && random.roll(5) === 0;
  if (isByWeek) parts.push(`BYWEEKNO=${random.some(2, [1, 2, 10, 20, 30, 51, -2, -20]).join(',')}`);
  sometimes(4, () => `BYMONTH=${numbers(4, 1, 12)}`);
  if (isYearly || isShort)
    sometimes(6, () => `BYYEARDAY=${random.some(9, [1, 60, 100, 200, 366, -1, -100]).join(',')}`);
  if (freq !== 'WEEKLY')
    sometimes(4, () => `BYMONTHDAY=${random.some(4, [1, 7, 13, 15, 28, 29, 30, 31, -1, -2, -30]).join(',')}`);
  const isNumbered = !isByWeek && (freq === 'MONTHLY' || isYearly) && random.roll(2) === 0;
  if (isByWeek) parts.push(`BYDAY=${weekdays()}`);
  else sometimes(2, () => `BYDAY=${isNumbered ? numbered() : weekdays()}`);
  sometimes(isShort ? 3 : 5, () => `BYHOUR=${numbers(4, 0, 23)}`);
  sometimes(6, () => `BYMINUTE=${random.some(3, [0, 1, 15, 30, 59]).join(',')}`);
  sometimes(9, () => `BYSECOND=${random.some(2, [0, 30, 59]).join(',')}`);
  const hasBy = parts.some((part) => part.startsWith('BY'));
  if (hasBy && freq !== 'WEEKLY')
    sometimes(
      4,
      () =>
        `BYSETPOS=${random
          .some(1 + random.roll(2), [2, 3, -2, -3])
          .concat(random.pick([1, -1]))
          .join(',')}`,
    );
  const until = isoTime(time + (LENGTHS[freq] ?? 0) * 86_400_000).replace(/[-:]/g, '');
  const isCounted = !hasBy && random.roll(3) === 0;
  parts.push(isCounted ? `COUNT=${1 + random.roll(30)}` : `UNTIL=${until}`);
  return {
    zone,
    start: isoTime(time),
    rule: [`FREQ=${freq}`, ...parts].join(';'),
  };
}

function isoTime(time: number): string {
  return new Date(time).toISOString().slice(0, 19);
}
