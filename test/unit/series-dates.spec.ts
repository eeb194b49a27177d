import { toStoredUtc } from '../../src/lib/wordpress-text/dates/convert.js';
import {
  formatWallClock,
  parseWallClock,
  secondsBetween,
} from '../../src/lib/wordpress-text/dates/wall-clock.js';
import { type EventDates, eventDates } from '../../src/resources/events/event-dates.js';
import { hasCurrentTask } from '../../src/resources/events/recurrence/php-beside.js';
import { linesOf } from '../../src/resources/events/recurrence/recurrence-input.js';
import {
  datesAt,
  expandSeries,
  hasSeveralDates,
  MAX_UPCOMING,
  moveSeries,
  parseSeries,
} from '../../src/resources/events/recurrence/series-dates.js';

const DAY = 86_400;

function dates(start: string, end: string, timezone = 'Europe/Berlin', allDay = false): EventDates {
  const [startUtc, endUtc] = [toStoredUtc(start, timezone), toStoredUtc(end, timezone)];
  const duration = secondsBetween(startUtc, endUtc);
  return { start, end, startUtc, endUtc, timezone, allDay, duration, abbreviation: '' };
}

const TUESDAY = dates('2027-03-02 19:00:00', '2027-03-02 21:00:00');
const WINDOW = { now: parseWallClock('2027-03-01 00:00:00') ?? 0, ahead: 365 * DAY };
const starts = (lines: readonly string[], of: EventDates, window = WINDOW) =>
  expandSeries(parseSeries(lines, of), of, window).rows.map(({ start }) => start);
const moved = (lines: readonly string[], to: EventDates, from = TUESDAY) =>
  moveSeries(parseSeries(lines, from), from, to);

describe('the input of a recurrence', () => {
  it.each([
    [{ rrule: ['FREQ=DAILY'], exrule: 'FREQ=WEEKLY' }, ['RRULE:FREQ=DAILY', 'EXRULE:FREQ=WEEKLY']],
    [
      { rdates: ['2027-03-01 18:00'], exdates: ['2027-03-02'] },
      ['RDATE:20270301T180000', 'EXDATE;VALUE=DATE:20270302'],
    ],
    [{ rdates: '2027-03-01T18:00:00Z' }, ['RDATE:20270301T180000Z']],
    [{ rrule: null, rdates: [''] }, []],
    ['RRULE:FREQ=DAILY\n\nEXDATE:2027\n 0301T180000', ['RRULE:FREQ=DAILY', 'EXDATE:20270301T180000']],
    [null, []],
    ['', []],
  ])('reads %j', (input, lines) => {
    expect(linesOf(input)).toEqual(lines);
  });

  it('rejects days that do not exist', () => {
    for (const date of ['2027-02-30', '2027-02-30 10:00', '2027-03-01T24:00:00Z']) {
      const lines = linesOf({ rdates: [date] });
      expect(() => parseSeries(typeof lines === 'string' ? [] : lines, TUESDAY)).toThrow(/is no date/);
    }
  });
});

describe('the dates of a series', () => {
  it('end at the horizon, and say when more are due', () => {
    const { rows, later } = expandSeries(parseSeries(['RRULE:FREQ=WEEKLY'], TUESDAY), TUESDAY, WINDOW);
    expect(rows).toHaveLength(53);
    const first = parseWallClock(TUESDAY.startUtc) ?? 0;
    expect(later).toEqual({ dueAt: first + 7 * DAY, until: first + 365 * DAY });
  });

  it('are all there without a word of more, if the rule ends within the horizon', () => {
    for (const rule of ['RRULE:FREQ=WEEKLY;COUNT=5', 'RRULE:FREQ=WEEKLY;UNTIL=20270401'])
      expect(expandSeries(parseSeries([rule], TUESDAY), TUESDAY, WINDOW)).toMatchObject({
        rows: { length: 5 },
      });
    expect(
      expandSeries(parseSeries(['RRULE:FREQ=WEEKLY;COUNT=5'], TUESDAY), TUESDAY, WINDOW).later,
    ).toBeUndefined();
  });

  it('are several as far as they are stored', () => {
    const yearly = ['RRULE:FREQ=YEARLY'];
    expect(hasSeveralDates(yearly, TUESDAY, '2027-09-01 00:00:00')).toBe(false);
    expect(hasSeveralDates(yearly, TUESDAY, '2028-09-01 00:00:00')).toBe(true);
    expect(hasSeveralDates(['RRULE:FREQ=YEARLY;COUNT=2'], TUESDAY)).toBe(true);
  });

  it('are at most two thousand that are not over', () => {
    const short = dates('2027-03-02 19:00:00', '2027-03-02 19:10:00');
    const { rows, later } = expandSeries(parseSeries(['RRULE:FREQ=HOURLY'], short), short, WINDOW);
    expect([rows.length, later?.dueAt]).toEqual([MAX_UPCOMING, WINDOW.now + DAY]);
    const monthLater = { now: WINDOW.now + 30 * DAY, ahead: 365 * DAY };
    const over = expandSeries(parseSeries(['RRULE:FREQ=HOURLY'], short), short, monthLater).rows;
    expect(over.filter((row) => row.endUtc > formatWallClock(monthLater.now))).toHaveLength(MAX_UPCOMING);
    const wayLater = { now: WINDOW.now + 800 * DAY, ahead: 365 * DAY };
    expect(() => expandSeries(parseSeries(['RRULE:FREQ=HOURLY'], short), short, wayLater)).toThrow(/10000/);
  });

  it('of whole days begin and end where the day of the site does', () => {
    const day = dates('2027-03-26 06:00:00', '2027-03-28 05:59:59', 'Europe/Berlin', true);
    const { rows } = expandSeries(parseSeries(['RRULE:FREQ=DAILY;COUNT=3'], day), day, WINDOW);
    expect(rows.map(({ start, end, startUtc, duration }) => [start, end, startUtc, duration])).toEqual([
      ['2027-03-26 06:00:00', '2027-03-28 05:59:59', '2027-03-26 05:00:00', 2 * DAY - 3601],
      ['2027-03-27 06:00:00', '2027-03-29 05:59:59', '2027-03-27 05:00:00', 2 * DAY - 3601],
      ['2027-03-28 06:00:00', '2027-03-30 05:59:59', '2027-03-28 04:00:00', 2 * DAY - 1],
    ]);
  });

  it('have the zone and the abbreviation of their day', () => {
    const { rows } = expandSeries(parseSeries(['RRULE:FREQ=WEEKLY;COUNT=5'], TUESDAY), TUESDAY, WINDOW);
    const last = rows.at(-1);
    expect(last && datesAt(last, TUESDAY)).toMatchObject({
      start: '2027-03-30 19:00:00',
      abbreviation: 'CEST',
    });
  });

  it('repeat a start that the zone skips as it was sent, with its length', () => {
    const input = { start_date: '2027-03-28 02:30', end_date: '2027-03-28 03:30', timezone: 'Europe/Berlin' };
    const sent = eventDates(input, undefined, { zone: 'UTC', cutoff: '', now: 0 });
    if (typeof sent === 'string') throw new Error(sent);
    expect(sent).toMatchObject({ start: '2027-03-28 03:30:00', end: '2027-03-28 03:30:00', duration: 0 });
    const lines = ['RRULE:FREQ=DAILY;COUNT=2'];
    const spans = (of: readonly string[]) =>
      expandSeries(parseSeries(of, sent), sent, WINDOW).rows.map(({ start, end }) => [start, end]);
    const expected = [
      ['2027-03-28 03:30:00', '2027-03-28 04:30:00'],
      ['2027-03-29 02:30:00', '2027-03-29 03:30:00'],
    ];
    expect(spans(lines)).toEqual(expected);
    expect(spans(moved(lines, sent))).toEqual(expected);
  });

  it('keep offsets and abbreviations as zones', () => {
    for (const zone of ['UTC+2', 'EST', '+05:30'])
      expect(
        starts(['RRULE:FREQ=WEEKLY;COUNT=2'], dates('2027-03-02 19:00:00', '2027-03-02 20:00:00', zone)),
      ).toEqual(['2027-03-02 19:00:00', '2027-03-09 19:00:00']);
  });
});

describe('a series whose event moves', () => {
  const wednesday = dates('2027-03-03 20:00:00', '2027-03-03 21:00:00');

  it('moves days that are left out, and a day as the end, by whole days', () => {
    const from = dates('2027-03-01 23:30:00', '2027-03-01 23:45:00');
    const to = dates('2027-03-02 00:30:00', '2027-03-02 00:45:00');
    const lines = ['RRULE:FREQ=DAILY;UNTIL=20270305', 'EXDATE;VALUE=DATE:20270303'];
    expect(starts(moved(lines, to, from), to)).toEqual([2, 3, 5, 6].map((day) => `2027-03-0${day} 00:30:00`));
  });

  it('moves the weeks that an interval skips with the days in them', () => {
    const from = dates('2027-03-07 19:00:00', '2027-03-07 21:00:00');
    const to = dates('2027-03-08 19:00:00', '2027-03-08 21:00:00');
    const lines = ['RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TH,SU;COUNT=6'];
    const later = starts(lines, from).map((start) => (parseWallClock(start) ?? 0) + DAY);
    expect(starts(moved(lines, to, from), to).map((start) => parseWallClock(start))).toEqual(later);
  });

  it.each([
    ['that the clock has moved', '2027-03-28 03:30:00', '2027-03-28 04:30:00', '2027-03-27T02:30:00', 28],
    ['of a rule that follows it', '2027-03-28 03:30:00', '2027-03-28 04:30:00', '2027-03-28T02:30:00', 28],
    ['after the gap', '2027-03-28 04:30:00', '2027-03-28 05:30:00', '2027-03-28T04:30:00', 28],
  ])('moves a start %s', (_what, start, end, anchor, day) => {
    const from = dates(start, end);
    const to = dates('2027-03-28 20:00:00', '2027-03-28 21:00:00');
    const stored = [
      `DTSTART;TZID=Europe/Berlin:${anchor.replace(/[-:]/g, '')}`,
      'DURATION:PT1H',
      'RRULE:FREQ=DAILY;COUNT=5',
      'EXDATE;TZID=Europe/Berlin:20270327T023000',
    ];
    expect(starts(moved(stored, to, from), to).slice(0, 2)).toEqual([
      `2027-03-${day} 20:00:00`,
      `2027-03-${day + 1} 20:00:00`,
    ]);
  });

  it('moves its rule, its end and its dates', () => {
    const lines = [
      'RRULE:FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20270311T180000Z',
      'RDATE:20270320T100000',
      'EXDATE:20270304T180000Z',
    ];
    expect(moved(lines, wednesday)).toEqual([
      'DTSTART;TZID=Europe/Berlin:20270303T200000',
      'DURATION:PT1H',
      'RRULE:FREQ=WEEKLY;UNTIL=20270312T190000Z;BYDAY=WE,FR',
      'RDATE;TZID=Europe/Berlin:20270321T110000',
      'EXDATE;TZID=Europe/Berlin:20270305T200000',
    ]);
  });

  it.each([
    ['FREQ=MONTHLY;BYDAY=1TU', '2027-03-10 19:00:00', 'RRULE:FREQ=MONTHLY;BYDAY=2WE'],
    ['FREQ=MONTHLY;BYDAY=-5TU', '2027-03-31 19:00:00', 'RRULE:FREQ=MONTHLY;BYDAY=-1WE'],
    ['FREQ=MONTHLY;BYMONTHDAY=2', '2027-03-10 19:00:00', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=10'],
    [
      'FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=2',
      '2027-04-10 19:00:00',
      'RRULE:FREQ=YEARLY;BYMONTHDAY=10;BYMONTH=4',
    ],
    ['FREQ=YEARLY', '2027-04-10 19:00:00', 'RRULE:FREQ=YEARLY'],
  ])('%s to %s', (rule, start, line) => {
    const to = dates(start, formatWallClock((parseWallClock(start) ?? 0) + 7200));
    expect(moved([`RRULE:${rule}`], to)).toContain(line);
    expect(starts(moved([`RRULE:${rule}`], to), to)[0]).toBe(start);
  });

  it('becomes one of whole days and back, and takes another zone', () => {
    const day = dates('2027-03-02 00:00:00', '2027-03-02 23:59:59', 'Europe/Berlin', true);
    const lines = ['RRULE:FREQ=WEEKLY;UNTIL=20270316T180000Z', 'EXDATE:20270309T190000'];
    const whole = moved(lines, day);
    expect(starts(whole, day)).toEqual(['2027-03-02 00:00:00', '2027-03-16 00:00:00']);
    const back = moved(whole, TUESDAY, day);
    expect(starts(back, TUESDAY)).toEqual(['2027-03-02 19:00:00', '2027-03-16 19:00:00']);
    const far = dates('2027-03-02 19:00:00', '2027-03-02 21:00:00', 'Asia/Tokyo');
    expect(starts(moved(lines, far), far)).toEqual(['2027-03-02 19:00:00', '2027-03-16 19:00:00']);
  });

  it('keeps a start that is left out', () => {
    const later = dates('2027-03-09 19:00:00', '2027-03-09 21:00:00');
    const lines = [
      'DTSTART;TZID=Europe/Berlin:20270302T190000',
      'DURATION:PT2H',
      'RRULE:FREQ=WEEKLY;COUNT=3',
      'EXDATE:20270302T190000',
    ];
    const to = dates('2027-03-09 20:00:00', '2027-03-09 21:00:00');
    expect(starts(moved(lines, to, later), to)).toEqual(['2027-03-09 20:00:00', '2027-03-16 20:00:00']);
  });
});

describe('a series of whole days whose first date is left out', () => {
  it('keeps the length of its dates when it moves', () => {
    const second = dates('2027-03-09 00:00:00', '2027-03-10 23:59:59', 'Europe/Berlin', true);
    const lines = [
      'DTSTART;VALUE=DATE:20270302',
      'DURATION:P2D',
      'RRULE:FREQ=WEEKLY;COUNT=3',
      'EXDATE;VALUE=DATE:20270302',
    ];
    const to = dates('2027-03-10 00:00:00', '2027-03-11 23:59:59', 'Europe/Berlin', true);
    const { rows } = expandSeries(parseSeries(moved(lines, to, second), to), to, WINDOW);
    expect(rows.map(({ start, end }) => [start, end])).toEqual([
      ['2027-03-10 00:00:00', '2027-03-11 23:59:59'],
      ['2027-03-17 00:00:00', '2027-03-18 23:59:59'],
    ]);
  });
});

describe('PHP beside Almanac', () => {
  const task = (at: number, name = 'wp_version_check') =>
    `a:2:{i:${at};a:1:{s:${name.length}:"${name}";a:0:{}}s:7:"version";i:2;}`;
  const NOW = 1_800_000_000;

  it.each([
    ['', false],
    ['a:1:{', false],
    [task(NOW + 3600), true],
    [task(NOW - 6 * DAY), true],
    [task(NOW - 8 * DAY), false],
    [task(NOW + 3600, 'publish_future_post'), false],
  ])('by the option cron %j: %j', (cron, isBeside) => {
    expect(hasCurrentTask(cron, NOW * 1000)).toBe(isBeside);
  });
});
