import '../support/editor-document.js';
import { formatRecurrence } from '../../src/lib/recurrence/format-recurrence.js';
import { toStoredUtc } from '../../src/lib/wordpress-text/dates/convert.js';
import {
  formatWallClock,
  parseWallClock,
  secondsBetween,
} from '../../src/lib/wordpress-text/dates/wall-clock.js';
import type { EventDates } from '../../src/resources/events/event-dates.js';
import { expandSeries, moveSeries, parseSeries } from '../../src/resources/events/recurrence/series-dates.js';
import type { Row, Values } from '../../web/editor/model.js';
import {
  monthChoices,
  movedChoice,
  type RuleChoice,
  toChoice,
  toRule,
} from '../../web/editor/recurrence/rule-choice.js';
import {
  isDateOf,
  parseLines,
  shownRecurrence,
  storedLines,
  UNKNOWN_RULE,
  wordsFor,
} from '../../web/editor/recurrence/series.js';
import {
  addedLine,
  excludedLine,
  followingValue,
  viewSeries,
  withMovedRule,
} from '../../web/editor/recurrence/view-series.js';
import { SeededRandom } from '../support/unusual-values.js';

const wall = (text: string) => parseWallClock(text) ?? Number.NaN;
const span = (start: string, timezone = 'Europe/Berlin', allDay = false) => ({
  start: wall(start),
  end: wall(start) + 7200,
  allDay,
  timezone,
});
/** A rule as the picker writes it after it has read it; undefined for one that it cannot express. */
function read(rule: string, start = '2027-03-02 19:00', allDay = false): string | undefined {
  const at = span(start, 'Europe/Berlin', allDay);
  const set = parseLines([`RRULE:${rule}`], at);
  const [first] = set.rules;
  const choice = first && toChoice(first, set);
  return choice && toRule(choice, at.start);
}
const form = (changes: Values): Values => ({
  start_date: '2027-03-02T19:00',
  end_date: '2027-03-02T21:00',
  all_day: false,
  timezone: 'Europe/Berlin',
  recurrence: '',
  ...changes,
});
const startsOf = (values: Values, row?: Row, now = 0) => {
  const { preview } = viewSeries(values, row, now) ?? {};
  return preview?.dates.map(({ start }) => formatWallClock(start).slice(0, 16));
};

const THIRD_DATE = {
  start_date: '2027-03-16 19:00:00',
  end_date: '2027-03-16 21:00:00',
  all_day: false,
  timezone: 'Europe/Berlin',
};

describe('the recurrence picker of the editor', () => {
  it.each([
    ['FREQ=DAILY'],
    ['FREQ=DAILY;INTERVAL=2;COUNT=4'],
    ['FREQ=WEEKLY'],
    ['FREQ=WEEKLY;UNTIL=20270518'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU'],
    ['FREQ=WEEKLY;BYDAY=TU,SU;WKST=SU', 'FREQ=WEEKLY;BYDAY=TU,SU'],
    ['FREQ=MONTHLY'],
    ['FREQ=MONTHLY;BYDAY=1TU'],
    ['FREQ=MONTHLY;BYDAY=-1TU', 'FREQ=MONTHLY;BYDAY=-1TU', '2027-03-30 19:00'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', 'FREQ=MONTHLY;BYMONTHDAY=-1', '2027-03-31 19:00'],
    ['FREQ=YEARLY'],
    ['FREQ=YEARLY;BYDAY=1TU;BYMONTH=3', 'FREQ=YEARLY;BYMONTH=3;BYDAY=1TU'],
    ['FREQ=WEEKLY;BYDAY=TU', 'FREQ=WEEKLY'],
    ['FREQ=WEEKLY;UNTIL=20270518T170000Z', 'FREQ=WEEKLY;UNTIL=20270518'],
    ['FREQ=WEEKLY;UNTIL=20270518T165959Z', 'FREQ=WEEKLY;UNTIL=20270517'],
    ['FREQ=MONTHLY;BYMONTHDAY=2', 'FREQ=MONTHLY'],
    ['FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=2', 'FREQ=YEARLY'],
  ])('reads and writes %s', (rule, written = rule, start = '2027-03-02 19:00') => {
    expect(read(rule, start)).toBe(written);
  });

  it('keeps what it cannot express', () => {
    for (const rule of [
      'FREQ=HOURLY;INTERVAL=3',
      'FREQ=DAILY;BYDAY=MO,TU',
      'FREQ=WEEKLY;BYHOUR=9,19',
      'FREQ=MONTHLY;BYMONTHDAY=2,15',
      'FREQ=MONTHLY;BYDAY=TU;BYSETPOS=1',
      'FREQ=MONTHLY;BYDAY=2TU',
      'FREQ=YEARLY;BYMONTH=3,4',
      'FREQ=YEARLY;BYDAY=1TU',
      'RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD',
    ])
      expect([rule, read(rule)]).toEqual([rule, undefined]);
  });

  it('offers the last week and the last day where the start is in them', () => {
    expect(monthChoices(wall('2027-03-02 00:00'))).toEqual(['date', 'nth']);
    expect(monthChoices(wall('2027-03-25 00:00'))).toEqual(['date', 'nth', 'last']);
    expect(monthChoices(wall('2028-02-29 23:30'))).toEqual(['date', 'nth', 'last', 'lastDay']);
  });

  it('moves weekdays along with the start', () => {
    const choice: RuleChoice = {
      freq: 'WEEKLY',
      interval: 1,
      weekdays: [1, 6],
      on: 'lastDay',
      end: { kind: 'never' },
    };
    expect(movedChoice(choice, wall('2027-03-02 23:30'), wall('2027-03-03 00:30'))).toMatchObject({
      weekdays: [0, 2],
      on: 'date',
    });
    const moved = withMovedRule(
      form({
        start_date: '2027-03-10T19:00',
        recurrence: 'RRULE:FREQ=MONTHLY;BYDAY=1TU\nEXDATE;VALUE=DATE:20270406',
      }),
      form({ recurrence: 'RRULE:FREQ=MONTHLY;BYDAY=1TU\nEXDATE;VALUE=DATE:20270406' }),
    );
    expect(moved['recurrence']).toBe('RRULE:FREQ=MONTHLY;BYDAY=2WE\nEXDATE;VALUE=DATE:20270406');
    const imported = form({ start_date: '2027-03-10T19:00', recurrence: 'RRULE:FREQ=DAILY;BYDAY=TU' });
    expect(withMovedRule(imported, form({ recurrence: 'RRULE:FREQ=DAILY;BYDAY=TU' }))).toBe(imported);
  });

  it.each(['19:00', '23:30', '00:15', '02:30'])('previews dates at %s on the clock of the event', (time) => {
    for (const timezone of ['Europe/Berlin', 'America/New_York', 'Pacific/Apia', 'UTC+5.5', 'UTC']) {
      const values = form({
        start_date: `2027-03-09T${time}`,
        end_date: `2027-03-09T${time}`,
        timezone,
        recurrence: 'RRULE:FREQ=WEEKLY;COUNT=4',
      });
      expect([timezone, startsOf(values)]).toEqual([
        timezone,
        ['09', '16', '23', '30'].map((day) => `2027-03-${day} ${time}`),
      ]);
    }
  });

  it('moves a time that a clock change skips, as the server does', () => {
    const daily = form({
      start_date: '2027-03-27T02:30',
      end_date: '2027-03-27T03:30',
      recurrence: 'RRULE:FREQ=DAILY;COUNT=3',
    });
    expect(startsOf(daily)).toEqual(['2027-03-27 02:30', '2027-03-28 03:30', '2027-03-29 02:30']);
    // It begins in the gap itself, and fits all the same.
    const inGap = form({
      start_date: '2027-03-28T02:30',
      end_date: '2027-03-28T03:30',
      recurrence: 'RRULE:FREQ=DAILY;COUNT=2',
    });
    expect(viewSeries(inGap, undefined, 0)?.requiredStart).toBeUndefined();
  });

  it('says where a rule would begin, that nothing is left, and what is invalid', () => {
    const rule = (recurrence: string) => viewSeries(form({ recurrence }), undefined, 0);
    expect(rule('RRULE:FREQ=WEEKLY;BYDAY=WE')?.requiredStart).toBe(wall('2027-03-03 19:00'));
    expect(rule('RRULE:FREQ=WEEKLY;UNTIL=20270301')?.problem).toBe('no date is left');
    expect(rule('RRULE:FREQ=WEEKLY;BYDAY=TX')?.problem).toBe(
      'RRULE:FREQ=WEEKLY;BYDAY=TX: BYDAY=TX is no weekday',
    );
    expect(rule('RRULE:FREQ=SECONDLY')?.problem).toContain('more than 288 times in a day');
    expect(rule('RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30')?.problem).toMatch(/no date is left|too long/);
    expect(viewSeries(form({ start_date: '2027-03-02T', recurrence: '' }), undefined, 0)).toBeUndefined();
  });

  it('counts the dates, and shows those that are not over', () => {
    const weekly = form({ recurrence: 'RRULE:FREQ=WEEKLY;COUNT=30' });
    const now = Date.parse('2027-04-06T18:59:59Z') / 1000;
    expect(viewSeries(weekly, undefined, now)?.preview).toMatchObject({ total: 30 });
    expect(startsOf(weekly, undefined, now)?.[0]).toBe('2027-04-06 19:00');
    expect(startsOf(weekly, undefined, now + 1)?.[0]).toBe('2027-04-13 19:00');
    expect(startsOf(weekly, undefined, now)).toHaveLength(10);
    expect(startsOf(weekly, undefined, now + 366 * 86_400)?.at(-1)).toBe('2027-09-21 19:00');
    const endless = viewSeries(form({ recurrence: 'RRULE:FREQ=WEEKLY' }), undefined, now)?.preview;
    expect([endless?.total, endless?.dates.length]).toEqual([undefined, 10]);
  });

  it('shows a stored series as it moves with its date', () => {
    const row: Row = {
      ...THIRD_DATE,
      id: 10_000_005,
      recurrence: {
        event_id: 5,
        lines: [
          'DTSTART;TZID=Europe/Berlin:20270302T190000',
          'DURATION:PT2H',
          'RRULE:FREQ=WEEKLY;COUNT=4',
          'EXDATE;TZID=Europe/Berlin:20270309T190000',
        ],
      },
    };
    const recurrence = storedLines(row);
    expect(recurrence).toBe('RRULE:FREQ=WEEKLY;COUNT=4\nEXDATE;TZID=Europe/Berlin:20270309T190000');
    const same = form({ start_date: '2027-03-16T19:00', end_date: '2027-03-16T21:00', recurrence });
    expect(startsOf(same, row)).toEqual(['2027-03-02 19:00', '2027-03-16 19:00', '2027-03-23 19:00']);
    const moved = { ...same, start_date: '2027-03-17T20:00', end_date: '2027-03-17T22:00' };
    expect(startsOf(moved, row)).toEqual(['2027-03-03 20:00', '2027-03-17 20:00', '2027-03-24 20:00']);
    expect(viewSeries(moved, row, 0)?.parts).toMatchObject({
      rules: ['FREQ=WEEKLY;COUNT=4'],
      excluded: ['EXDATE:20270310T200000'],
    });
    const changed = { ...same, recurrence: 'RRULE:FREQ=WEEKLY;COUNT=2' };
    expect(startsOf(changed, row)).toEqual(['2027-03-16 19:00', '2027-03-23 19:00']);
    expect(storedLines({ ...row, recurrence: { event_id: 5, lines: [] } })).toBe(UNKNOWN_RULE);
  });

  describe('of a stored series whose event moves', () => {
    const movedTo = (start: string, lines: readonly string[], from = '2027-03-30T19:00') => {
      const row: Row = {
        id: 5,
        start_date: `${from.replace('T', ' ')}:00`,
        end_date: `${from.slice(0, 10)} 21:00:00`,
        all_day: false,
        timezone: 'Europe/Berlin',
        recurrence: {
          event_id: 5,
          lines: [`DTSTART;TZID=Europe/Berlin:${from.replace(/[-:]/g, '')}00`, 'DURATION:PT2H', ...lines],
        },
      };
      const values = form({
        start_date: start,
        end_date: `${start.slice(0, 10)}T23:00`,
        recurrence: storedLines(row),
      });
      return viewSeries(values, row, 0);
    };

    it('keeps lengths of added dates, and the second of two equal times', () => {
      const added = [
        'RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20270505T200000/PT1H',
        'RDATE:20271031T013000Z',
        'RDATE;VALUE=DATE:20270506',
      ];
      expect(movedTo('2027-03-30T20:00', ['RRULE:FREQ=WEEKLY', ...added])?.parts.added).toEqual([
        'RDATE:20271031T033000',
        'RDATE:20270506T200000',
        'RDATE;VALUE=PERIOD:20270505T210000/PT1H',
      ]);
    });

    it('moves a rule that the picker cannot express, and its exceptions', () => {
      const view = movedTo('2027-03-31T19:00', [
        'RRULE:FREQ=WEEKLY;BYDAY=TU',
        'EXRULE:FREQ=MONTHLY;BYDAY=1TU',
        'EXDATE;VALUE=DATE:20270413',
      ]);
      expect(view?.choice).toBeUndefined();
      expect(view?.parts).toEqual({
        rules: ['FREQ=WEEKLY;BYDAY=WE'],
        others: ['EXRULE:FREQ=MONTHLY;BYDAY=1WE'],
        added: [],
        excluded: ['EXDATE;VALUE=DATE:20270414'],
      });
    });

    it('previews the weekday that the server counts from the end of the month', () => {
      const view = movedTo('2027-03-24T19:00', ['RRULE:FREQ=MONTHLY;BYDAY=-1TU;COUNT=3']);
      expect(view?.parts.rules).toEqual(['FREQ=MONTHLY;COUNT=3;BYDAY=-2WE']);
      expect(view?.preview?.dates.map(({ start }) => formatWallClock(start))).toEqual([
        '2027-03-24 19:00:00',
        '2027-04-21 19:00:00',
        '2027-05-19 19:00:00',
      ]);
    });
  });

  it('leaves added dates before a date to the dates before it', () => {
    const row: Row = {
      ...THIRD_DATE,
      id: 10_000_007,
      recurrence: {
        event_id: 5,
        lines: ['DTSTART;TZID=Europe/Berlin:20270302T190000', 'RRULE:FREQ=WEEKLY', 'RDATE:20270305T180000Z'],
      },
    };
    const values = form({
      start_date: '2027-03-16T19:00',
      end_date: '2027-03-16T21:00',
      recurrence: 'RRULE:FREQ=DAILY;COUNT=2\nRDATE:20270305T180000Z\nRDATE:20270320T190000',
    });
    const view = viewSeries(values, row, 0);
    expect([view?.requiredStart, view?.preview?.total]).toEqual([undefined, 3]);
    expect(followingValue(values, row)).toBe('RRULE:FREQ=DAILY;COUNT=2\nRDATE:20270320T190000');
  });

  it('keeps dates left out where a new rule gets another time or zone', () => {
    const excluded = 'EXDATE;TZID=Europe/Berlin:20270309T190000\nEXDATE;TZID=Europe/Berlin:20270316T190000';
    const recurrence = `RRULE:FREQ=WEEKLY;COUNT=4\nRDATE:20270316T120000\n${excluded}`;
    const changes: Values[] = [{ start_date: '2027-03-02T20:00' }, { timezone: 'America/New_York' }];
    for (const change of changes) {
      const moved = withMovedRule(form({ ...change, recurrence }), form({ recurrence }));
      const time = String(moved['start_date']).slice(11);
      const days = ['2027-03-02', '2027-03-16', '2027-03-23'];
      expect(startsOf(moved)).toEqual([`${days[0]} ${time}`, `${days[1]} 12:00`, `${days[2]} ${time}`]);
    }
  });

  it('treats an event of a server that shows no lines as a single one', () => {
    const row: Row = { id: 10_000_005, recurrence: { rrule: ['FREQ=WEEKLY'] } };
    expect([storedLines(row), isDateOf(row), shownRecurrence(row)]).toEqual(['', false, '']);
  });

  it('says where its words are not the whole rule', () => {
    Object.defineProperty(globalThis, 'navigator', { value: { language: 'en-GB' }, configurable: true });
    const at = span('2027-03-02 19:00');
    expect(wordsFor(parseLines(['RRULE:FREQ=DAILY'], at))).toBe('every day');
    expect(wordsFor(parseLines(['RRULE:FREQ=DAILY;BYHOUR=9,19'], at))).toBe('every day …');
    expect(wordsFor(parseLines(['RRULE:FREQ=DAILY', 'EXRULE:FREQ=WEEKLY'], at))).toBe('every day …');
    expect(wordsFor(parseLines(['RRULE:FREQ=HOURLY'], at))).toBe('');
  });

  it('says when all dates are over', () => {
    const twice = form({ recurrence: 'RRULE:FREQ=WEEKLY;COUNT=2' });
    const end = Date.parse('2027-03-09T20:00:00Z') / 1000;
    const isOver = (now: number) => viewSeries(twice, undefined, now)?.preview?.isOver;
    expect([isOver(end - 1), isOver(end)]).toEqual([false, true]);
  });

  it('counts whole days by their last one', () => {
    const camp = form({
      all_day: true,
      start_date: '2027-03-27T00:00',
      end_date: '2027-03-28T23:59',
      recurrence: 'RRULE:FREQ=WEEKLY;COUNT=2',
    });
    const dates = viewSeries(camp, undefined, 0)?.preview?.dates ?? [];
    expect(dates.map(({ start, end }) => (end - start) / 86_400)).toEqual([2, 2]);
    expect(read('FREQ=WEEKLY;UNTIL=20270518', '2027-03-02 00:00', true)).toBe('FREQ=WEEKLY;UNTIL=20270518');
  });

  describe('against what the server stores', () => {
    const ZONES = [
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'UTC+5.5',
      'UTC',
    ];
    const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;

    /** A random event in 2027, often near a change of clocks, with a rule that the picker can make. */
    function random(dice: SeededRandom) {
      const allDay = dice.roll(5) === 0;
      const near = dice.pick([
        '2027-03-13',
        '2027-03-27',
        '2027-10-30',
        '2027-04-03',
        '2027-01-31',
        '2027-06-16',
      ]);
      const time = allDay ? 0 : dice.pick([0, 1800, 5400, 9000, 68_400, 84_600]);
      const start = wall(`${near} 00:00`) + dice.roll(4) * 86_400 + time;
      const choice: RuleChoice = {
        freq: dice.pick(FREQUENCIES),
        interval: 1 + dice.roll(3),
        weekdays: [(Math.floor(start / 86_400) + 3) % 7, ...dice.some(dice.roll(3), [0, 1, 2, 3, 4, 5, 6])]
          .filter((day, index, all) => all.indexOf(day) === index)
          .sort((a, b) => a - b),
        on: dice.pick(monthChoices(start)),
        end: dice.pick([
          { kind: 'never' },
          { kind: 'count', count: 1 + dice.roll(12) },
          { kind: 'until', day: '2027-12-31' },
        ] as const),
      };
      const lines = [`RRULE:${toRule(choice, start)}`];
      if (dice.roll(2) === 0) lines.push(excludedLine(start + (1 + dice.roll(20)) * 86_400, true));
      if (dice.roll(2) === 0) lines.push(addedLine(start + (1 + dice.roll(40)) * 86_400, allDay));
      return {
        start,
        end: start + (allDay ? 86_399 : 5400),
        allDay,
        timezone: dice.pick(ZONES),
        choice,
        lines,
      };
    }

    const datesFor = (start: number, end: number, timezone: string, allDay: boolean): EventDates => {
      const texts = { start: formatWallClock(start), end: formatWallClock(end) };
      const [startUtc, endUtc] = [toStoredUtc(texts.start, timezone), toStoredUtc(texts.end, timezone)];
      const duration = secondsBetween(startUtc, endUtc);
      return { ...texts, startUtc, endUtc, timezone, allDay, duration, abbreviation: '' };
    };
    const fieldsOf = ({ start, end, allDay, timezone }: EventDates, recurrence: string): Values => ({
      start_date: start.slice(0, 16).replace(' ', 'T'),
      end_date: end.slice(0, 16).replace(' ', 'T'),
      all_day: allDay,
      timezone,
      recurrence,
    });
    const stored = (lines: readonly string[], dates: EventDates) =>
      expandSeries(parseSeries(lines, dates), dates, { now: 0, ahead: 40 * 366 * 86_400 })
        .rows.slice(0, 10)
        .map(({ start }) => start.slice(0, 16));

    it('previews the same dates, reads its rules back, and moves a series as the server does', () => {
      for (let seed = 1; seed <= 200; seed++) {
        const dice = new SeededRandom(seed);
        const { start, end, allDay, timezone, choice, lines } = random(dice);
        const dates = datesFor(start, end, timezone, allDay);
        const preview = startsOf(fieldsOf(dates, lines.join('\n')));
        const set = parseSeries(lines, dates);
        expect([seed, lines, timezone, preview]).toEqual([seed, lines, timezone, stored(lines, dates)]);

        const row: Row = {
          id: 5,
          start_date: dates.start,
          end_date: dates.end,
          all_day: allDay,
          timezone,
          recurrence: { event_id: 5, lines: formatRecurrence(set) },
        };
        const same = viewSeries(fieldsOf(dates, storedLines(row)), row, 0);
        expect([seed, same?.choice && toRule(same.choice, start)]).toEqual([seed, toRule(choice, start)]);

        // Moved by a day; the server rejects moves that a rule of months does not follow.
        const shift = 86_400;
        const to = datesFor(start + shift, end + shift, timezone, allDay);
        const moved = viewSeries(fieldsOf(to, storedLines(row)), row, 0);
        const there = moveSeries(set, dates, to);
        if (choice.freq === 'DAILY' || choice.freq === 'WEEKLY')
          expect([
            seed,
            lines,
            timezone,
            moved?.preview?.dates.map((one) => formatWallClock(one.start).slice(0, 16)),
          ]).toEqual([seed, lines, timezone, stored(there, to)]);
      }
    });
  });
});
