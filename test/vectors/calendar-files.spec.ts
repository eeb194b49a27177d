import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EventDates, fileDates } from '../support/calendar-file-dates.js';

const FOLDER = join(__dirname, '../fixtures/calendar-files');
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
const { source, files } = JSON.parse(read('dates.json')) as {
  source: { zone: string; limit: number };
  files: Record<string, EventDates[] | string>;
};

/** What differs between the dates of an event; undefined if nothing does, or if neither side reads it. */
function difference(ours: EventDates | undefined, theirs: EventDates | undefined): string | undefined {
  if (!ours || !theirs) return `${ours ? 'only ours' : 'only theirs'} has it`;
  if (ours.error !== undefined && theirs.error !== undefined) return undefined;
  if (ours.error !== undefined) return `only we reject it: ${ours.error}`;
  if (theirs.error !== undefined) return `only they reject it: ${theirs.error}`;
  const [a, b] = [JSON.stringify(ours.dates), JSON.stringify(theirs.dates)];
  return a === b ? undefined : `${a} is not ${b}`;
}

describe('calendar files of other programs', () => {
  it('are more than two hundred', () => {
    expect(Object.keys(files).length).toBeGreaterThan(200);
  });

  it('have the dates of dateutil, except for the listed differences', async () => {
    const found: Record<string, string> = {};
    let compared = 0;
    for (const [name, theirs] of Object.entries(files)) {
      const result = await fileDates(readFileSync(join(FOLDER, name)), source);
      const ours = typeof result === 'string' ? [] : result;
      if (typeof theirs === 'string') throw new Error(`${name}: ${theirs}`);
      for (let at = 0; at < Math.max(ours.length, theirs.length); at++) {
        const what = difference(ours[at], theirs[at]);
        if (what !== undefined) found[`${name} ${at + 1}`] = what;
        else if (ours[at]?.dates) compared += 1;
      }
    }
    const [, ...rows] = read('differences.tsv').trim().split('\n');
    const listed = new Set(rows.map((row) => row.split('\t').slice(0, 2).join(' ')));
    const unlisted = Object.entries(found).filter(([name]) => !listed.has(name));
    expect(unlisted).toEqual([]);
    expect([...listed].filter((name) => !(name in found))).toEqual([]);
    expect(compared).toBeGreaterThan(350);
  });
});
