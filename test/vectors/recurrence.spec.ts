import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatRule, parseRule } from '../../src/lib/recurrence/rule.js';
import { datesOf } from '../support/recurrence-dates.js';

interface Row {
  start: string;
  rule: string;
  dates: string[];
  ends: boolean;
}
const path = join(__dirname, '../fixtures/recurrence/dateutil.json');
const { rules } = JSON.parse(readFileSync(path, 'utf8')) as { rules: Row[] };

describe('recurrence rules', () => {
  it('are more than four hundred', () => {
    expect(rules.length).toBeGreaterThan(400);
  });

  it.each(['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'])(
    'with FREQ=%s have the dates of dateutil, as parsed and as formatted',
    (freq) => {
      const mine = rules.filter(({ rule }) => rule.includes(freq));
      expect(mine.length).toBeGreaterThan(0);
      for (const { start, rule, dates, ends } of mine)
        for (const text of [rule, formatRule(parseRule(rule))]) {
          const found = datesOf([`DTSTART:${start}`, `RRULE:${text}`], dates.length + (ends ? 1 : 0));
          expect({ start, rule, dates: found }).toEqual({ start, rule, dates });
        }
    },
  );
});
