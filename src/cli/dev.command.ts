import { Command } from 'commander';
import { Development } from './dev.js';
import { interruptible } from './interruptible.js';
import type { Terminal } from './terminal.js';

export function devCommand(terminal: Terminal): Command {
  return new Command('dev')
    .argument('[folders...]', 'folders of packages with a tsconfig.json', ['.'])
    .option('--main <file>', 'start this file instead of Almanac, such as dist/main.js')
    .action((folders: string[], { main }: { main?: string }) =>
      interruptible((signal) =>
        new Development({ folders, main, note: (line) => terminal.note(line) }).run(signal),
      ),
    );
}
