import { portableSeries } from '../../src/lib/ical/portable-series.js';
import { formatRecurrence } from '../../src/lib/recurrence/format-recurrence.js';
import { occurrences } from '../../src/lib/recurrence/occurrences.js';
import { namedZones, parseRecurrence } from '../../src/lib/recurrence/parse-recurrence.js';
import { zoneClock } from '../../src/lib/recurrence/zone-clock.js';

const parsed = (lines: string[], zone = 'Europe/Berlin') =>
  parseRecurrence(lines, { zones: namedZones(zoneClock(zone)) });
const written = (lines: string[], zone?: string) => {
  const set = parsed(lines, zone);
  const portable = portableSeries(set);
  if (!portable) return undefined;
  const starts = (one: typeof set) =>
    occurrences(one, { limit: 50 }).list.map(({ recurrenceId }) => recurrenceId);
  expect(starts(parsed(formatRecurrence(portable), 'UTC'))).toEqual(starts(set));
  return formatRecurrence(portable);
};
const Z = 'DTSTART;TZID=Europe/Berlin:20270301T180000';
const FLOATING = 'DTSTART:20270301T180000';
const HOUR = 'DURATION:PT1H';

describe('a series as other programs read it', () => {
  it.each<[string, string[], string[]]>([
    [
      'ends in UTC',
      [Z, HOUR, 'RRULE:FREQ=WEEKLY;UNTIL=20270401T180000'],
      [Z, 'DTEND;TZID=Europe/Berlin:20270301T190000', 'RRULE:FREQ=WEEKLY;UNTIL=20270401T160000Z'],
    ],
    [
      'ends with a day, in UTC',
      [Z, 'RRULE:FREQ=WEEKLY;UNTIL=20270401'],
      [Z, 'RRULE:FREQ=WEEKLY;UNTIL=20270401T215959Z'],
    ],
    [
      'has its dates on the clock of DTSTART',
      [
        Z,
        'RRULE:FREQ=WEEKLY;COUNT=4',
        'RDATE:20270303T170000Z',
        'EXDATE;TZID=America/New_York:20270308T120000',
      ],
      [
        Z,
        'RRULE:FREQ=WEEKLY;COUNT=4',
        'RDATE;TZID=Europe/Berlin:20270303T180000',
        'EXDATE;TZID=Europe/Berlin:20270308T180000',
      ],
    ],
    [
      'leaves out the dates of a day',
      [Z, 'RRULE:FREQ=DAILY;BYHOUR=18,20;COUNT=8', 'EXDATE;VALUE=DATE:20270302,20270411'],
      [
        Z,
        'RRULE:FREQ=DAILY;COUNT=8;BYHOUR=18,20',
        'EXDATE;TZID=Europe/Berlin:20270302T180000,20270302T200000',
      ],
    ],
    [
      'has longer dates without their length',
      [Z, HOUR, 'RDATE;VALUE=PERIOD:20270303T170000Z/PT2H'],
      [
        Z,
        'DTEND;TZID=Europe/Berlin:20270301T190000',
        'RDATE;TZID=Europe/Berlin:20270301T180000,20270303T180000',
      ],
    ],
    [
      'has whole days',
      [
        'DTSTART;VALUE=DATE:20270301',
        'DURATION:P2D',
        'RRULE:FREQ=WEEKLY;UNTIL=20270401',
        'EXDATE:20270308T000000Z',
      ],
      [
        ...['DTSTART;VALUE=DATE:20270301', 'DTEND;VALUE=DATE:20270303'],
        ...['RRULE:FREQ=WEEKLY;UNTIL=20270401', 'EXDATE;VALUE=DATE:20270308'],
      ],
    ],
  ])('%s', (_, lines, expected) => {
    expect(written(lines)).toEqual(expected);
  });

  it.each([
    ['UTC+5.75', ['DTSTART;TZID=Asia/Katmandu:20270301T180000', 'RRULE:FREQ=DAILY']],
    ['+02:00', ['DTSTART;TZID=Etc/GMT-2:20270301T180000', 'RRULE:FREQ=DAILY']],
    ['UTC', ['DTSTART:20270301T180000Z', 'RRULE:FREQ=DAILY']],
    ['+05:30', undefined],
  ])('is in the zone of its event, %s', (zone, expected) => {
    expect(written([FLOATING, 'RRULE:FREQ=DAILY'], zone)).toEqual(expected);
  });

  it.each([
    ['two rules', ['RRULE:FREQ=WEEKLY', 'RRULE:FREQ=MONTHLY']],
    ['a rule of exclusions', ['RRULE:FREQ=DAILY', 'EXRULE:FREQ=WEEKLY']],
    ['a rule that moves days', ['RRULE:RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD']],
    ['a start that its rule leaves out', ['RRULE:FREQ=WEEKLY;BYDAY=TU']],
  ])('is none with %s', (_, rules) => {
    expect(written([Z, ...rules])).toBeUndefined();
  });

  it('is none before the years that a VTIMEZONE describes', () => {
    expect(written(['DTSTART;TZID=Europe/Berlin:19600301T180000', 'RRULE:FREQ=YEARLY'])).toBeUndefined();
  });
});
