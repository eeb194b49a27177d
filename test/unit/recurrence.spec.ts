import {
  dropOccurrence,
  joinParts,
  restoreOccurrence,
  splitAt,
} from '../../src/lib/recurrence/edit-recurrence.js';
import { formatRecurrence } from '../../src/lib/recurrence/format-recurrence.js';
import { checkFrequency, eachOccurrence, occurrences } from '../../src/lib/recurrence/occurrences.js';
import { parseRecurrence } from '../../src/lib/recurrence/parse-recurrence.js';
import { RecurrenceError } from '../../src/lib/recurrence/recurrence-error.js';
import type { RecurrenceSet } from '../../src/lib/recurrence/recurrence-set.js';
import { compact, datesOf } from '../support/recurrence-dates.js';

const Z = 'DTSTART;TZID=Europe/Berlin:20270301T180000';
const WEEKLY = 'RRULE:FREQ=WEEKLY;COUNT=3';
const [FIRST, SECOND, THIRD] = ['20270301T180000', '20270308T180000', '20270315T180000'];
const berlin = (start: string) => `DTSTART;TZID=Europe/Berlin:${start}`;
/** The starts in UTC. */
const instants = (lines: string[], limit = 20) =>
  occurrences(parseRecurrence(lines), { limit }).list.map(({ startUtc }) => compact(startUtc));

describe('dates compared by their instants', () => {
  it.each([
    'EXDATE:20270308T170000Z',
    'EXDATE;TZID=America/New_York:20270308T120000',
    'EXDATE;VALUE=DATE:20270308',
    'EXDATE:20270308T180000',
    'EXRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO',
  ])('%s excludes one of Berlin', (line) => {
    const expected = line.startsWith('EXRULE') ? [SECOND] : [FIRST, THIRD];
    expect(datesOf([Z, WEEKLY, line], 9)).toEqual(expected);
  });

  it.each([
    'RECURRENCE-ID:20270308T170000Z',
    'RECURRENCE-ID;TZID=America/New_York:20270308T120000',
    'RECURRENCE-ID;VALUE=DATE:20270308',
    'RECURRENCE-ID:20270308T180000',
  ])('%s replaces one of Berlin', (line) => {
    const override = [line, 'DTSTART;TZID=Europe/Berlin:20270309T200000', 'DURATION:PT1H'];
    const { list } = occurrences(parseRecurrence([Z, WEEKLY], { overrides: [override] }));
    expect(list.map(({ start }) => compact(start))).toEqual([FIRST, '20270309T200000', THIRD]);
    expect(list[1]).toMatchObject({ override: 0, recurrenceId: Date.UTC(2027, 2, 8, 17) / 1000 });
  });

  it('takes a time for its day in a series of whole days', () => {
    const whole = ['DTSTART;VALUE=DATE:20270301', WEEKLY];
    for (const line of [
      'EXDATE:20270308T000000Z',
      'EXDATE;TZID=Europe/Berlin:20270308T000000',
      'EXDATE:20270308T000000',
    ])
      expect(datesOf([...whole, line], 9)).toEqual(['20270301T000000', '20270315T000000']);
    const override = ['RECURRENCE-ID:20270308T000000Z', 'DTSTART;VALUE=DATE:20270309'];
    expect(datesOf(whole, 9, { overrides: [override] })).toEqual(
      ['20270301', '20270309', '20270315'].map((day) => `${day}T000000`),
    );
  });

  it('counts an RDATE at the instant of another date once', () => {
    expect(datesOf([Z, WEEKLY, 'RDATE:20270308T170000Z'], 9)).toEqual([FIRST, SECOND, THIRD]);
  });

  it('takes a day as RDATE or RECURRENCE-ID at the time of a start before 1970', () => {
    const lines = [berlin('19691201T180000'), WEEKLY, 'RDATE;VALUE=DATE:19691210'];
    const override = ['RECURRENCE-ID;VALUE=DATE:19691208', 'DURATION:PT1H'];
    const { list } = occurrences(parseRecurrence(lines, { overrides: [override] }));
    expect(list.map(({ start, recurrenceId }) => [compact(start), compact(recurrenceId)])).toEqual(
      ['01', '08', '10', '15'].map((day) => [`196912${day}T180000`, `196912${day}T170000`]),
    );
  });

  it('takes an RDATE in its own zone', () => {
    const lines = [Z, 'RDATE;TZID=America/New_York:20270305T040000'];
    expect(instants(lines)).toEqual(['20270301T170000', '20270305T090000']);
    expect(datesOf(lines, 9)).toEqual([FIRST, '20270305T100000']);
  });

  it('counts the start as a date where there is no rule', () => {
    const lines = ['DTSTART:20270301T100000Z', 'RDATE:20270305T100000Z'];
    expect(datesOf(lines, 9)).toEqual(['20270301T100000', '20270305T100000']);
    const { list } = occurrences(parseRecurrence(lines));
    expect(list.map(({ isRdate }) => isRdate)).toEqual([false, true]);
  });

  it('ends with an UNTIL in UTC', () => {
    expect(datesOf([berlin('20270301T100000'), 'RRULE:FREQ=DAILY;UNTIL=20270303T090000Z'], 9)).toHaveLength(
      3,
    );
    const newYork = 'DTSTART;TZID=America/New_York:20270301T100000';
    expect(datesOf([newYork, 'RRULE:FREQ=DAILY;UNTIL=20270303T145959Z'], 9)).toHaveLength(2);
    expect(datesOf([newYork, 'RRULE:FREQ=DAILY;UNTIL=20270303T150000Z'], 9)).toHaveLength(3);
    expect(datesOf([newYork, 'RRULE:FREQ=DAILY;UNTIL=20270303'], 9)).toHaveLength(3);
  });

  it('lasts as long as a PERIOD at its start, with a rule and without one', () => {
    const lines = [Z, 'DURATION:PT1H', 'RDATE;VALUE=PERIOD:20270301T170000Z/PT3H'];
    for (const rules of [[], [WEEKLY]]) {
      const [first] = occurrences(parseRecurrence([...lines, ...rules])).list;
      expect(compact(first?.end ?? 0)).toBe('20270301T210000');
    }
  });

  it('has the two events of an RDATE with a PERIOD', () => {
    const lines = [
      berlin('20271015T160000'),
      'DURATION:PT1H',
      'RDATE;VALUE=PERIOD:20271022T140000Z/PT2H,20271029T140000Z/20271029T153000Z',
    ];
    expect(datesOf(lines, 9, { withEnd: true })).toEqual([
      '20271015T160000/20271015T170000',
      '20271022T160000/20271022T180000',
      '20271029T160000/20271029T173000',
    ]);
  });
});

describe('clock changes', () => {
  it('move a time in a gap behind it, with its length', () => {
    const lines = [berlin('20270327T023000'), 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3'];
    expect(datesOf(lines, 9, { withEnd: true })).toEqual([
      '20270327T023000/20270327T033000',
      '20270328T033000/20270328T043000',
      '20270329T023000/20270329T033000',
    ]);
  });

  it('take the first of two times', () => {
    expect(instants([berlin('20271030T023000'), 'RRULE:FREQ=DAILY;COUNT=2'])).toEqual([
      ...['20271030T003000', '20271031T003000'],
    ]);
  });

  it('keep the instants in order and once in a gap', () => {
    const lines = [berlin('20270328T013000'), 'RRULE:FREQ=MINUTELY;INTERVAL=30;COUNT=6'];
    // 02:00 is 03:00, and 02:30 is 03:30.
    expect(datesOf(lines, 9)).toEqual(
      ['013000', '030000', '033000', '040000'].map((time) => `20270328T${time}`),
    );
  });

  it('keep the order where a whole hour moves behind another one', () => {
    const lines = ['DTSTART;TZID=America/Havana:20270313T235000', 'RRULE:FREQ=MINUTELY;INTERVAL=20;COUNT=8'];
    // Midnight is one o'clock.
    expect(datesOf(lines, 9)).toEqual([
      '20270313T235000',
      ...['011000', '013000', '015000', '021000'].map((time) => `20270314T${time}`),
    ]);
  });

  it('leave an exact end exact and a day nominal', () => {
    const rule = 'RRULE:FREQ=DAILY;COUNT=2';
    const exact = [berlin('20270326T220000'), 'DTEND;TZID=Europe/Berlin:20270327T220000', rule];
    expect(datesOf(exact, 9, { withEnd: true })[1]).toBe('20270327T220000/20270328T230000');
    const nominal = [berlin('20270326T220000'), 'DURATION:P1D', rule];
    expect(datesOf(nominal, 9, { withEnd: true })[1]).toBe('20270327T220000/20270328T220000');
  });

  it('work where a whole day is left out', () => {
    const lines = ['DTSTART;TZID=Pacific/Apia:20111229T100000', 'RRULE:FREQ=DAILY;COUNT=3'];
    // 30 December does not exist: it becomes the 31st, which is there already.
    expect(datesOf(lines, 9)).toEqual(['20111229T100000', '20111231T100000']);
  });
});

describe('overrides', () => {
  const cancelled = (id: string, range = '') => [`RECURRENCE-ID${range}:${id}`, 'STATUS:CANCELLED'];

  it('withdraw a cancelled date', () => {
    expect(datesOf([Z, WEEKLY], 9, { overrides: [cancelled('20270308T170000Z')] })).toEqual([FIRST, THIRD]);
    const range = cancelled('20270308T170000Z', ';RANGE=THISANDFUTURE');
    expect(datesOf([Z, WEEKLY], 9, { overrides: [range] })).toEqual([FIRST]);
  });

  it('shift the later dates with THISANDFUTURE, but not those with an override of their own', () => {
    const range = [
      'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20270308T180000',
      'DTSTART;TZID=Europe/Berlin:20270309T200000',
      'DURATION:PT2H',
    ];
    const single = ['RECURRENCE-ID:20270322T170000Z', 'DTSTART:20270322T080000Z', 'DURATION:PT1H'];
    const set = parseRecurrence([Z, 'RRULE:FREQ=WEEKLY;COUNT=6'], { overrides: [range, single] });
    const { list } = occurrences(set);
    expect(list.map((one) => [compact(one.start), (one.endUtc - one.startUtc) / 3600, one.override])).toEqual(
      [
        [FIRST, 0, undefined],
        ['20270309T200000', 2, 0],
        ['20270316T200000', 2, 0],
        ['20270322T090000', 1, 1],
        // The clocks have changed.
        ['20270330T200000', 2, 0],
        ['20270406T200000', 2, 0],
      ],
    );
  });

  it('are there even if their date is none of the rule', () => {
    const single = ['RECURRENCE-ID:20270701T170000Z', 'DTSTART:20270701T080000Z'];
    expect(datesOf([Z, WEEKLY], 9, { overrides: [single] })).toEqual([
      FIRST,
      SECOND,
      THIRD,
      '20270701T100000',
    ]);
  });
});

describe('a window of dates', () => {
  const endless = parseRecurrence([Z, 'DURATION:PT1H', 'RRULE:FREQ=DAILY', 'EXDATE:20300101T170000Z']);
  const at = (text: string) => Date.parse(text) / 1000;

  it('begins where it is wanted without computing what is before', () => {
    const options = { from: at('2029-12-31T17:00:00Z'), until: at('2030-01-03T17:00:00Z'), maxSteps: 30 };
    const { list, isComplete } = occurrences(endless, options);
    expect(list.map(({ start }) => compact(start))).toEqual(['20291231T180000', '20300102T180000']);
    expect(isComplete).toBe(true);
  });

  it('says whether the limit ended it', () => {
    expect(occurrences(endless, { limit: 3 })).toMatchObject({ isComplete: false, list: { length: 3 } });
    expect(occurrences(endless).list).toHaveLength(2000);
    expect(occurrences(parseRecurrence([Z, WEEKLY]), { limit: 3 }).isComplete).toBe(true);
  });

  it('is the same as a part of all dates, for each frequency', () => {
    for (const rule of [
      'FREQ=YEARLY;BYMONTH=2,8;BYDAY=-1SU',
      'FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=31;RSCALE=GREGORIAN;SKIP=FORWARD',
      'FREQ=WEEKLY;INTERVAL=3;BYDAY=SU,TH',
      'FREQ=DAILY;INTERVAL=11',
      'FREQ=HOURLY;INTERVAL=37;BYMONTH=3,7',
      'FREQ=MINUTELY;INTERVAL=1003',
    ]) {
      const set = parseRecurrence([Z, `RRULE:${rule}`, 'EXRULE:FREQ=DAILY;BYDAY=1FR'.replace('1FR', 'FR')]);
      const all = occurrences(set, { until: at('2032-01-01T00:00:00Z'), limit: 1e5 }).list;
      const from = at('2030-02-01T00:00:00Z');
      const some = occurrences(set, { from, until: at('2032-01-01T00:00:00Z'), limit: 1e5 }).list;
      expect({ rule, some }).toEqual({ rule, some: all.filter(({ startUtc }) => startUtc >= from) });
      expect(some.length).toBeGreaterThan(2);
    }
  });
});

const faultOf = (work: () => unknown) => {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof RecurrenceError)) throw error;
    return { fault: error.fault, line: error.line, index: error.index, reason: error.reason };
  }
};

describe('a rejected recurrence', () => {
  it.each([
    ['RRULE:FREQ=FORTNIGHTLY', 'invalid', 'FREQ=FORTNIGHTLY is unknown'],
    ['RRULE:COUNT=3', 'invalid', 'FREQ is missing'],
    ['RRULE:FREQ=DAILY;COUNT=0', 'invalid', 'COUNT=0 is no number from 1 on'],
    ['RRULE:FREQ=DAILY;INTERVAL=0', 'invalid', 'INTERVAL=0 is no number from 1 on'],
    ['RRULE:FREQ=DAILY;COUNT=1000000000', 'too_much', 'COUNT=1000000000 is more than 100000'],
    ['RRULE:FREQ=DAILY;COUNT=3;UNTIL=20270401T000000Z', 'invalid', 'COUNT and UNTIL exclude each other'],
    ['RRULE:FREQ=DAILY;FREQ=DAILY', 'invalid', 'FREQ is there twice'],
    ['RRULE:FREQ=DAILY;UNTIL=20270231T000000Z', 'invalid', '"20270231T000000Z" is no date'],
    ['RRULE:FREQ=DAILY;BYMONTH=13', 'invalid', 'BYMONTH=13 is out of range'],
    ['RRULE:FREQ=DAILY;BYMONTH=5L', 'invalid', 'BYMONTH=5L is out of range'],
    ['RRULE:FREQ=MONTHLY;BYMONTHDAY=0', 'invalid', 'BYMONTHDAY=0 is out of range'],
    ['RRULE:FREQ=MONTHLY;BYDAY=1XX', 'invalid', 'BYDAY=1XX is no weekday'],
    ['RRULE:FREQ=WEEKLY;BYDAY=1MO', 'invalid', 'a numbered BYDAY is not allowed with FREQ=WEEKLY'],
    ['RRULE:FREQ=WEEKLY;BYMONTHDAY=1', 'invalid', 'BYMONTHDAY is not allowed with FREQ=WEEKLY'],
    ['RRULE:FREQ=MONTHLY;BYYEARDAY=1', 'invalid', 'BYYEARDAY is not allowed with FREQ=MONTHLY'],
    ['RRULE:FREQ=MONTHLY;BYWEEKNO=1', 'invalid', 'BYWEEKNO is not allowed with FREQ=MONTHLY'],
    ['RRULE:FREQ=DAILY;BYSETPOS=1', 'invalid', 'BYSETPOS needs another BY part'],
    ['RRULE:RSCALE=CHINESE;FREQ=YEARLY', 'unsupported', 'the calendar RSCALE=CHINESE is not supported'],
    ['RRULE:FREQ=YEARLY;BYEASTER=0', 'unsupported', 'BYEASTER is not supported'],
    ['RDATE;TZID=Nowhere/Land:20270301T100000', 'invalid', 'the time zone "Nowhere/Land" is unknown'],
    ['EXDATE:20270230T100000', 'invalid', '"20270230T100000" is no date'],
    ['RDATE;VALUE=PERIOD:20270302T100000Z/20270301T100000Z', 'invalid', 'the end is before the start'],
    ['DURATION:-PT1H', 'invalid', '"-PT1H" is no duration'],
    ['DTEND;VALUE=DATE:20270302', 'invalid', 'DTSTART is a time, the end is none'],
  ])('names the line and the reason: %s', (line, fault, reason) => {
    expect(faultOf(() => parseRecurrence([Z, line]))).toEqual({ fault, line, index: 1, reason });
  });

  it('needs a start', () => {
    expect(faultOf(() => parseRecurrence([WEEKLY]))?.reason).toBe('DTSTART is missing');
  });

  it.each([
    ['FREQ=SECONDLY', 'it takes place more than 288 times in a day'],
    ['FREQ=MINUTELY;BYDAY=MO', 'it takes place more than 288 times in a day'],
    ['FREQ=SECONDLY;INTERVAL=2;BYSECOND=1', 'its dates take too long to compute'],
    ['FREQ=SECONDLY;INTERVAL=7919;BYMONTH=2;BYMONTHDAY=30', undefined],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', undefined],
    ['FREQ=HOURLY;INTERVAL=24;BYHOUR=3', 'its dates take too long to compute'],
    ['FREQ=HOURLY', undefined],
    ['FREQ=MINUTELY;INTERVAL=5', undefined],
  ])('is one of too many dates, within bounded work: %s', (rule, reason) => {
    const { user } = process.cpuUsage();
    const set = parseRecurrence([Z, `RRULE:${rule}`]);
    expect(faultOf(() => checkFrequency(set))?.reason).toBe(reason);
    expect(process.cpuUsage().user - user).toBeLessThan(2_000_000);
  });

  it('is one of too many dates on a later day', () => {
    const set = parseRecurrence([berlin('20270301T235900'), 'RRULE:FREQ=MINUTELY;BYDAY=MO']);
    expect(faultOf(() => checkFrequency(set))?.reason).toBe('it takes place more than 288 times in a day');
  });

  it('bounds the work of long lists without a date', () => {
    const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);
    const sixthAndLater = upTo(53)
      .slice(5)
      .flatMap((n) =>
        ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'].flatMap((day) => [`${n}${day}`, `-${n}${day}`]),
      );
    for (const rule of [
      `FREQ=MONTHLY;BYDAY=${sixthAndLater}`,
      `FREQ=YEARLY;BYYEARDAY=${upTo(366)};BYWEEKNO=${upTo(53)};BYDAY=MO;BYSETPOS=366`,
    ]) {
      const { user } = process.cpuUsage();
      const set = parseRecurrence([Z, ...Array.from({ length: 20 }, () => `RRULE:${rule}`)]);
      expect(faultOf(() => occurrences(set))?.reason).toBe('its dates take too long to compute');
      expect(process.cpuUsage().user - user).toBeLessThan(6_000_000);
    }
  });
});

describe('formatRecurrence', () => {
  it.each([
    [[Z, 'DTEND;TZID=Europe/Berlin:20270301T193000', 'RRULE:FREQ=WEEKLY;COUNT=3;BYDAY=MO']],
    [['DTSTART:20270301T100000Z', 'DURATION:P1DT2H', 'RDATE:20270305T100000Z', 'EXDATE:20270301T100000Z']],
    [
      [
        'DTSTART;VALUE=DATE:20270301',
        'DTEND;VALUE=DATE:20270303',
        'RRULE:FREQ=MONTHLY;INTERVAL=2;UNTIL=20280101;BYDAY=-1SU;WKST=SU',
      ],
    ],
    [
      [
        'DTSTART:20270301T100000',
        'RRULE:RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD',
        'EXRULE:FREQ=YEARLY;BYHOUR=10;BYMONTH=2;BYSETPOS=-1',
      ],
    ],
    [
      [
        Z,
        'RDATE;TZID=America/New_York:20270305T040000,20270306T040000',
        'RDATE;VALUE=PERIOD:20271022T140000Z/PT2H',
        'EXDATE;VALUE=DATE:20270305',
      ],
    ],
  ])('returns the lines it was parsed from (%#)', (lines) => {
    expect(formatRecurrence(parseRecurrence(lines))).toEqual(lines);
  });

  it('writes an end that a zone has twice in UTC', () => {
    const lines = [berlin('20271031T010000'), 'DTEND:20271031T013000Z', 'RRULE:FREQ=DAILY'];
    expect(formatRecurrence(parseRecurrence(lines))).toEqual(lines);
  });
});

const keysOf = (set: RecurrenceSet, limit = 40) =>
  occurrences(set, { limit }).list.map(({ recurrenceId, start, end }) => [recurrenceId, start, end]);
const reparsed = (set: RecurrenceSet) => parseRecurrence(formatRecurrence(set));

describe('dropOccurrence', () => {
  it.each([
    [[Z, 'RRULE:FREQ=WEEKLY;COUNT=6']],
    [['DTSTART;VALUE=DATE:20270301', 'RRULE:FREQ=DAILY;COUNT=6']],
    [[berlin('20270326T023000'), 'RRULE:FREQ=DAILY;COUNT=6']],
    [[berlin('20271031T013000'), 'RDATE:20271031T013000Z', 'RRULE:FREQ=DAILY;COUNT=4']],
    [['DTSTART:20270301T100000', 'RDATE:20270305T100000Z,20270306T100000Z']],
  ])('leaves out one date, as formatted, too (%#)', (lines) => {
    const set = parseRecurrence(lines);
    const all = keysOf(set);
    for (const [key = 0] of all)
      for (const one of [dropOccurrence(set, key), reparsed(dropOccurrence(set, key))])
        expect(keysOf(one)).toEqual(all.filter(([other]) => other !== key));
  });

  it('is undone by restoreOccurrence', () => {
    const set = parseRecurrence([Z, 'RRULE:FREQ=WEEKLY;COUNT=6', 'EXDATE:20270308T170000Z,20270315T170000Z']);
    for (const [key = 0] of keysOf(set)) {
      const restored = restoreOccurrence(reparsed(dropOccurrence(set, key)), key);
      expect(restored && formatRecurrence(restored)).toEqual(formatRecurrence(set));
      expect(restoreOccurrence(set, key)).toBeUndefined();
    }
  });
});

describe('splitAt', () => {
  it.each([
    ['BYHOUR=2,20', ['20270328T033000', '20270328T203000', '20270329T023000']],
    ['BYHOUR=3,20', ['20270328T033000', '20270328T203000', '20270329T033000']],
    ['BYHOUR=3;BYMINUTE=0,30', ['20270328T033000', '20270329T030000', '20270329T033000']],
  ])('begins at a date that follows a gap: %s', (times, expected) => {
    const lines = [berlin('20270327T203000'), `RRULE:FREQ=DAILY;${times};UNTIL=20270329T040000`];
    const { before, following } = splitAt(parseRecurrence(lines), Date.UTC(2027, 2, 28, 1, 30) / 1000);
    expect(occurrences(following).list.map(({ start }) => compact(start))).toEqual(expected);
    const [all, one] = [parseRecurrence(lines), before].map((set) => occurrences(set).list.length);
    expect(one).toBe((all ?? 0) - expected.length);
  });

  it.each([
    [[Z, 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=8;BYDAY=MO,TH', 'EXDATE:20270304T170000Z']],
    [[Z, 'RRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=20270601T000000Z;BYDAY=MO,TH']],
    [['DTSTART;VALUE=DATE:20270131', 'RRULE:RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD;COUNT=8']],
    [['DTSTART;VALUE=DATE:20280229', 'RRULE:RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=BACKWARD;COUNT=8']],
    [['DTSTART:20270301T100000', 'RRULE:FREQ=WEEKLY;COUNT=4', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=20;COUNT=3']],
    [['DTSTART:20270301T100000Z', 'RDATE:20270305T103000Z,20270402T100000Z', 'RRULE:FREQ=YEARLY;COUNT=5']],
    [[berlin('20270326T023000'), 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=6']],
    [
      [
        'DTSTART:20270301T100000Z',
        'RRULE:FREQ=DAILY;BYHOUR=9,15;COUNT=9',
        'EXRULE:FREQ=DAILY;BYHOUR=15;COUNT=3',
      ],
    ],
    [[berlin('20270327T013000'), 'RRULE:FREQ=DAILY;BYHOUR=1,2;BYMINUTE=30,45;COUNT=9']],
    [['DTSTART:20270301T101500Z', 'RRULE:FREQ=HOURLY;INTERVAL=7;COUNT=9']],
    [['DTSTART:20270519T100000Z', 'RRULE:FREQ=YEARLY;BYWEEKNO=20;COUNT=5', 'RDATE:20280601T100000Z']],
    [
      [
        berlin('20270305T100000'),
        'RDATE:20270301T100000Z,20270303T100000Z,20270309T100000Z,20270310T100000Z',
      ],
    ],
  ])('divides the dates at each of them, as formatted, too (%#)', (lines) => {
    const set = parseRecurrence(lines);
    const all = keysOf(set);
    expect(all.length).toBeGreaterThan(4);
    for (const [at, [key = 0]] of all.entries()) {
      if (at === 0) continue;
      const { before, following } = splitAt(set, key);
      for (const copy of [(one: RecurrenceSet) => one, reparsed]) {
        expect({ key, before: keysOf(copy(before)) }).toEqual({ key, before: all.slice(0, at) });
        expect({ key, following: keysOf(copy(following)) }).toEqual({ key, following: all.slice(at) });
        const joined = joinParts(reparsed(set), key, { before: copy(before), following: copy(following) });
        expect(joined && formatRecurrence(joined)).toEqual(formatRecurrence(set));
      }
    }
  });

  it('is undone by joinParts after dates of both parts were left out, not after another change', () => {
    const set = parseRecurrence([Z, 'RRULE:FREQ=WEEKLY;COUNT=6', 'EXDATE:20270308T170000Z']);
    const [first = 0, , key = 0, later = 0] = keysOf(set).map(([one = 0]) => one);
    const { before, following } = splitAt(set, key);
    const parts = { before: dropOccurrence(before, first), following: dropOccurrence(following, later) };
    const joined = joinParts(set, key, {
      before: reparsed(parts.before),
      following: reparsed(parts.following),
    });
    expect(joined && keysOf(joined)).toEqual(keysOf(set).filter(([one]) => one !== first && one !== later));
    const other = parseRecurrence([Z, 'RRULE:FREQ=DAILY;COUNT=2']);
    expect(joinParts(set, key, { before: other, following })).toBeUndefined();
    expect(joinParts(set, key, { before, following: other })).toBeUndefined();
  });

  it('rejects a date that is none, the first one, and one in a period that a rule skips', () => {
    const set = parseRecurrence([Z, 'RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=3', 'RDATE:20270309T170000Z']);
    const [first, added] = keysOf(set).map(([key = 0]) => key);
    expect(faultOf(() => splitAt(set, 5))?.reason).toBe('it is none of the dates');
    expect(faultOf(() => splitAt(set, first ?? 0))?.reason).toBe('it is the first date');
    expect(faultOf(() => splitAt(set, added ?? 0))?.reason).toContain('skips weekly periods');
  });

  it('divides overrides by the dates that they change', () => {
    const overrides = ['20270308', '20270315'].map((day) => [
      `RECURRENCE-ID:${day}T170000Z`,
      `DTSTART:${day}T080000Z`,
    ]);
    const set = parseRecurrence([Z, WEEKLY], { overrides });
    const { before, following } = splitAt(set, Date.UTC(2027, 2, 15, 17) / 1000);
    expect([...eachOccurrence(before)].map(({ start }) => compact(start))).toEqual([
      FIRST,
      '20270308T090000',
    ]);
    expect([...eachOccurrence(following)].map(({ start }) => compact(start))).toEqual(['20270315T090000']);
  });
});
