import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { occurrences } from '../../src/lib/recurrence/occurrences.js';
import { parseRecurrence } from '../../src/lib/recurrence/parse-recurrence.js';
import { describeWithReaders, readByKhal, run } from '../support/calendar-readers.js';
import { type RandomRule, randomRules } from '../support/random-rules.js';
import { KEY, SET, TEXT } from '../support/written-series.js';

const PYTHON = '/usr/bin/python3';
const hasDateutil = spawnSync(PYTHON, ['-c', 'import dateutil, zoneinfo']).status === 0;
const describeWithDateutil = hasDateutil || process.env['CI'] ? describe : describe.skip;

/** Enough that two thousand of them are compared. */
const RULES = 2300;
const LIMIT = 60;

describeWithDateutil('two thousand random rules around changes of clocks', () => {
  it('have the instants of dateutil and of the system time zones', () => {
    const rules = randomRules(RULES, 20_270_328);
    const script = join(__dirname, '../support/dateutil-dates.py');
    const expected = JSON.parse(
      run(PYTHON, [script, String(LIMIT)], JSON.stringify(rules)),
    ) as (Dates | null)[];
    const compared = rules.flatMap((rule, at) => {
      const theirs = expected[at];
      return theirs ? [{ ...rule, theirs: theirs.instants, ours: instantsOf(rule, theirs) }] : [];
    });
    const differing = compared.filter(({ theirs, ours }) => JSON.stringify(ours) !== JSON.stringify(theirs));
    expect(differing.slice(0, 5)).toEqual([]);
    expect(compared.length).toBeGreaterThanOrEqual(2000);
    expect(compared.filter(({ theirs }) => theirs.length > 1).length).toBeGreaterThan(1000);
  });
});

interface Dates {
  instants: number[];
  /** Whether there are no more. */
  ends: boolean;
}

/** As many instants as the other side has, and one more if there should be none. */
function instantsOf({ zone, start, rule }: RandomRule, { instants, ends }: Dates): number[] {
  const lines = [`DTSTART;TZID=${zone}:${start.replace(/[-:]/g, '')}`, `RRULE:${rule}`];
  const limit = instants.length + (ends ? 1 : 0);
  return occurrences(parseRecurrence(lines), { limit }).list.map(({ startUtc }) => startUtc);
}

const ICALENDAR = `
import sys, json, icalendar
from dateutil.rrule import rruleset, rrulestr
from zoneinfo import ZoneInfo
own, changed = icalendar.Calendar.from_ical(sys.stdin.buffer.read()).walk('VEVENT')
def wall(one):
    assert str(one.dt.tzinfo) == 'Europe/Berlin', one
    return one.dt.replace(tzinfo=None)
dates = rruleset()
dates.rrule(rrulestr(own['RRULE'].to_ical().decode(), dtstart=wall(own['DTSTART'])))
for one in own['RDATE'].dts: dates.rdate(wall(one))
for one in own['EXDATE'].dts: dates.exdate(wall(one))
dates.exdate(wall(changed['RECURRENCE-ID']))
found = [*dates, wall(changed['DTSTART'])]
json.dump(sorted(one.replace(tzinfo=ZoneInfo('Europe/Berlin')).timestamp() for one in found), sys.stdout)
`;

describeWithReaders('a written series', () => {
  const written = occurrences(SET).list.map(({ startUtc, recurrenceId }) =>
    recurrenceId === KEY ? Date.UTC(2027, 2, 9, 19) / 1000 : startUtc,
  );

  it("has its dates in Python's icalendar", () => {
    expect(JSON.parse(run(PYTHON, ['-c', ICALENDAR], TEXT))).toEqual(written);
  });

  it('has its dates in khal', () => {
    const reading = readByKhal(TEXT, '2027-02-01', 200, (_, start) => start);
    const starts = written.map((one) => new Date(one * 1000).toISOString().slice(0, 16).replace('T', ' '));
    expect(Object.keys(reading).toSorted()).toEqual(starts);
  });
});
