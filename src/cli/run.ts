import 'reflect-metadata';
import { CommanderError } from 'commander';
import { program } from './program.js';
import { EXIT, Terminal } from './terminal.js';

/** Runs the command line and exits with a code of `EXIT`. */
export async function run(words: readonly string[]): Promise<void> {
  try {
    const almanac = await program(new Terminal(), words);
    await almanac.parseAsync(words, { from: 'user' });
  } catch (error) {
    // Commander has printed its own errors.
    if (!(error instanceof CommanderError)) return (await import('../app/exit-with.js')).exitWith(error);
    process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
}
