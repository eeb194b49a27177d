import { Command, Option } from 'commander';
import { indexes } from './indexes.js';
import type { Terminal } from './terminal.js';

export function indexesCommand(terminal: Terminal): Command {
  return new Command('indexes')
    .addOption(new Option('--apply', 'make those that are missing').conflicts('drop'))
    .option('--drop', 'drop them again')
    .action(async ({ apply, drop }: { apply?: boolean; drop?: boolean }) => {
      const change = apply ? 'apply' : drop ? 'drop' : undefined;
      const work = indexes({ say: (line) => terminal.say(line), ...(change && { change }) });
      terminal.json(
        await terminal.during(
          'On a large table this takes minutes; it is read and written meanwhile …',
          work,
        ),
      );
    });
}
