import 'reflect-metadata';
import { CommanderError } from 'commander';
import { exitWith } from '../app/exit-with.js';
import { program } from './program.js';
import { EXIT, Terminal } from './terminal.js';

/** Runs the command line and exits with a code of `EXIT`. */
export async function run(words: readonly string[]): Promise<void> {
  try {
    await program(new Terminal()).parseAsync(words, { from: 'user' });
  } catch (error) {
    // Commander has printed its own errors.
    if (!(error instanceof CommanderError)) exitWith(error);
    process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
}
