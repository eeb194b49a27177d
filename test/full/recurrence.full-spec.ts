import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { occurrences } from '../../src/lib/recurrence/occurrences.js';
import { parseRecurrence } from '../../src/lib/recurrence/parse-recurrence.js';
import { run } from '../support/calendar-readers.js';
import { type RandomRule, randomRules } from '../support/random-rules.js';

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
