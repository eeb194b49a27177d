import type { INestApplicationContext } from '@nestjs/common';
import { Command, Option } from 'commander';
import type { Environment } from '../../config/env.js';
import { InvalidValue, wholeNumber } from '../../config/parse-variable.js';
import { StartError } from '../../database/start-error.js';
import { FeedError } from '../../imports/feed-fetch.js';
import type { ImportedRecord, Outcome } from '../../imports/file-record.js';
import { FollowedFeeds } from '../../imports/followed-feeds.service.js';
import { type ImportOptions, importEvents, SINGLE_EVENTS } from '../../imports/import-events.js';
import { type FeedOptions, importFeed } from '../../imports/import-feed.js';
import { WRITABLE_STATUSES } from '../../wordpress/posts/post-statuses.js';
import { counted } from '../counted.js';
import { optionValue } from '../option-value.js';
import { withSite } from '../site-application.js';
import { EXIT, type Terminal } from '../terminal.js';
import { countLines, readRecords } from './import-records.js';

/** Maximum records in the JSON result. */
const MAX_NAMED = 1000;

type Options = Omit<ImportOptions, 'note'> &
  Partial<Pick<FeedOptions, 'url' | 'ignoreRobots'>> & { every?: number };

/** `almanac import`. */
export function importCommand(terminal: Terminal, env?: Environment): Command {
  return new Command('import')
    .argument('[file]', 'an .ics or .csv file')
    .usage('[options] --as <login> <file>')
    .requiredOption('--as <login>', 'the user whose events they become, and by whose rights')
    .option('--dry-run', 'only say what would become of each record')
    .option(
      '--single-events',
      `make events of their own of the first ${SINGLE_EVENTS} dates of one that recurs, in place of one event`,
    )
    .option('--occurrences <n>', 'the same for the first so many dates', optionValue(wholeNumber(1, 1000)))
    .addOption(
      new Option('--status <status>', 'status of new events, whatever the file says').choices(
        WRITABLE_STATUSES,
      ),
    )
    .option('--images', 'fetch the images that the file names')
    .option('--url <address>', 'fetch a calendar file, in place of a file')
    .option('--every <time>', 'have the server do so again every 1h, 30m, 1d', optionValue(interval))
    .option('--ignore-robots', 'fetch it whatever its robots.txt says: for calendars of your own')
    .option('--withdraw', 'also withdraw events where most of the address are gone')
    .action(async (path: string | undefined, input: Options, command: Command) => {
      const { url, every, ...rest } = input;
      if ((path === undefined) === (url === undefined))
        command.error("error: missing required argument 'file', or --url in its place");
      if (every !== undefined && (url === undefined || input.dryRun))
        command.error('error: --every is for --url, without --dry-run');
      const counts: Record<Outcome, number> = {
        created: 0,
        updated: 0,
        unchanged: 0,
        withdrawn: 0,
        'left out': 0,
      };
      const named: ImportedRecord[] = [];
      let lost = 0;
      const lines = path === undefined ? undefined : await countLines(path);
      const take = async <T>(records: AsyncGenerator<ImportedRecord, T>): Promise<T> => {
        for (;;) {
          const { value: record, done: isDone } = await records.next();
          if (isDone) return record;
          counts[record.outcome] += 1;
          const losses = record.lost ?? [];
          lost += losses.length;
          const isNamed = input.dryRun || record.outcome === 'left out' || record.outcome === 'withdrawn';
          if (isNamed) terminal.say(lineOf(record, input.dryRun));
          for (const { line, property, why } of losses)
            terminal.say(`line ${line}, ${record.uid}: ${property} is lost: ${why}`);
          if ((isNamed || losses.length > 0) && named.length < MAX_NAMED) named.push(record);
          const done = Object.values(counts).reduce((sum, count) => sum + count);
          terminal.progress(`${counted(done, 'record')} …`, lines && record.line / lines);
        }
      };
      const report = () => {
        const { created, updated, unchanged, withdrawn, 'left out': leftOut } = counts;
        terminal.say(
          `Events that ${input.dryRun ? 'would be' : 'were'} created: ${created}, updated: ${updated}${withdrawn > 0 ? `, withdrawn: ${withdrawn}` : ''}; unchanged: ${unchanged}; left out: ${leftOut}.${lost > 0 ? ` Properties that ${input.dryRun ? 'would be' : 'were'} lost: ${lost}.` : ''}`,
        );
        terminal.json({
          dryRun: input.dryRun === true,
          created,
          updated,
          unchanged,
          withdrawn,
          leftOut,
          lost,
          records: named,
        });
      };
      const note = (line: string) => terminal.note(line);
      const all = async (app: INestApplicationContext) => {
        if (url === undefined)
          return take(importEvents(app, { ...rest, note }, (options) => readRecords(path ?? '', options)));
        const feeds = app.get(FollowedFeeds);
        const otherFeeds = await feeds.otherFeeds(url);
        const version = await take(importFeed(app, { ...rest, url, note, otherFeeds }));
        if (every === undefined) return;
        const { withdraw: _once, ...followed } = rest;
        await feeds.follow({ ...followed, url, every, ...(version && { version }) });
        terminal.say(`The server imports ${url} again every ${every / 60} minutes.`);
      };
      await withSite(all, env).catch((error: unknown) => {
        // Events imported so far stay.
        if (Object.values(counts).some((count) => count > 0)) report();
        throw error instanceof FeedError ? new StartError(`The feed ${error.message}`) : error;
      });
      report();
      if (counts['left out'] + lost > 0) process.exitCode = EXIT.found;
    });
}

function lineOf({ line, uid, outcome, id, fault }: ImportedRecord, dryRun = false): string {
  const place = line > 0 ? `line ${line}` : 'no more in the feed';
  const what = `${place}${uid ? `, ${uid}` : ''}`;
  if (outcome === 'left out') return `${what}: left out: ${fault}`;
  const would = dryRun && outcome !== 'unchanged' ? `would be ${outcome}` : outcome;
  return `${what}: ${would}${id === undefined ? '' : ` (event ${id})`}`;
}

/** A time from fifteen minutes to thirty days, in seconds. */
function interval(text: string): number {
  const units: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 };
  const [, count, unit = ''] = /^(\d{1,5}) ?([mhd])$/i.exec(text) ?? [];
  const seconds = Number(count) * (units[unit.toLowerCase()] ?? Number.NaN);
  if (!(seconds >= 900 && seconds <= 30 * 86_400))
    throw new InvalidValue('must be a time from 15m to 30d, such as 1h');
  return seconds;
}
