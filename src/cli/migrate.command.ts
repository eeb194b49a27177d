import { Command } from 'commander';
import { migrate } from './migrate.js';
import type { Terminal } from './terminal.js';

/** `almanac migrate`. */
export function migrateCommand(terminal: Terminal): Command {
  return new Command('migrate')
    .description(
      'run the migrations of plugins that have not run; an empty database gets the tables of a site',
    )
    .option('--list', 'only say which would run')
    .action(async ({ list = false }: { list?: boolean }) => {
      const work = migrate({ list, say: (line) => terminal.say(line) });
      terminal.json(await terminal.during('Migrating …', work));
    });
}
