import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type EventDates, fileDates } from '../support/calendar-file-dates.js';
import { run } from '../support/calendar-readers.js';
import { randomCalendars } from '../support/random-calendars.js';

const PYTHON = '/usr/bin/python3';
const hasReference = spawnSync(PYTHON, ['-c', 'import dateutil, icalendar, zoneinfo']).status === 0;
const describeWithReference = hasReference || process.env['CI'] ? describe : describe.skip;

const FILES = 2500;
const SEED = 20_270_328;
const OPTIONS = { zone: 'America/New_York', limit: 30 };

describeWithReference('random calendar files with described zones, exceptions and changes', () => {
  it(`have the dates of dateutil, by seed ${SEED}`, async () => {
    const files = randomCalendars(FILES, SEED);
    const script = join(__dirname, '../support/calendar-dates.py');
    const output = JSON.parse(run(PYTHON, [script], JSON.stringify({ ...OPTIONS, files }))) as {
      files: EventDates[][];
    };
    let compared = 0;
    const differing: { file: string; ours: EventDates[]; theirs: EventDates[] | undefined }[] = [];
    for (const [at, file] of files.entries()) {
      const ours = (await fileDates(Buffer.from(file), OPTIONS)) as EventDates[];
      const theirs = output.files[at];
      compared += ours.flatMap(({ dates = [] }) => dates).length;
      if (JSON.stringify(ours) !== JSON.stringify(theirs)) differing.push({ file, ours, theirs });
    }
    expect(differing.slice(0, 3)).toEqual([]);
    expect(compared).toBeGreaterThan(10 * FILES);
  });
});
