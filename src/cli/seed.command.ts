import { Command } from 'commander';
import { wholeNumber } from '../config/parse-variable.js';
import { StartError } from '../database/start-error.js';
import { counted } from './counted.js';
import { optionValue } from './option-value.js';
import { countEvents, seedEvents } from './seed.js';
import { withSite } from './site-application.js';
import type { Terminal } from './terminal.js';

export function seedCommand(terminal: Terminal): Command {
  return new Command('seed')
    .option('--events <n>', 'how many', optionValue(wholeNumber(1, 100_000)), 100)
    .option('--as <login>', 'whose events they become (default: the first administrator)')
    .option('--yes', 'even where there are events already')
    .action(async ({ events, as, yes }: { events: number; as?: string; yes?: boolean }) => {
      await withSite(async (app) => {
        const before = await countEvents(app);
        const question = `This site has ${counted(before, 'event')}. Put ${events} made up among them?`;
        if (before > 0 && !yes && !(await terminal.confirm(question)))
          throw new StartError('Nothing was written.');
        const onProgress = (count: number) =>
          terminal.progress(`${count} of ${counted(events, 'event')} …`, count / events);
        await seedEvents(app, { events, ...(as !== undefined && { as }) }, onProgress);
      });
      terminal.say(`Made ${counted(events, 'event')}.`);
      terminal.json({ events });
    });
}
