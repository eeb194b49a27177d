import 'reflect-metadata';
import { CommanderError } from 'commander';
import { exitWith } from '../app/exit-with.js';
import { program } from './program.js';
import { EXIT, Terminal } from './terminal.js';

/** Does what the words after `almanac` say; the process ends with one of `EXIT`. */
export async function run(words: readonly string[]): Promise<void> {
  try {
    await program(new Terminal()).parseAsync(words, { from: 'user' });
  } catch (error) {
    // What commander has to say it has said by now.
    if (!(error instanceof CommanderError)) exitWith(error);
    process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
}
