import { Command } from 'commander';
import { ownEnvironment } from '../config/env.js';
import { pluginsOfMain } from '../plugins/plugins-of-main.js';
import { migrate } from './migrate.js';
import type { Terminal } from './terminal.js';

export function migrateCommand(terminal: Terminal): Command {
  return new Command('migrate')
    .option('--list', 'only list which would run')
    .option('--main <file>', 'of the plugins that this file hands to createServer, such as dist/main.js')
    .action(async ({ list = false, main }: { list?: boolean; main?: string }) => {
      const handed = main === undefined ? {} : await pluginsOfMain(main);
      const env = handed.env ?? ownEnvironment();
      const work = migrate({ ...handed, env, list, say: (line) => terminal.say(line) });
      terminal.json(await terminal.during('Migrating …', work));
      if (main === undefined && env.plugins.length === 0)
        terminal.note(
          'PLUGINS names no plugins. Those of a main file of your own: almanac migrate --main FILE',
        );
      // Handles opened by the main file would keep the process running.
      if (main !== undefined) process.exit();
    });
}
