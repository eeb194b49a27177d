import { EnvironmentError } from './config/env.js';
import { StartError } from './database/start-error.js';

/** Ends the process with 1: in one sentence where whoever started it can mend what is wrong, else with the whole error. */
export function exitWith(error: unknown): never {
  const expected = error instanceof EnvironmentError || error instanceof StartError;
  const taken = (error as { code?: string }).code === 'EADDRINUSE';
  if (taken) console.error('The port is taken by another program: choose one with PORT.');
  else console.error(expected ? error.message : error);
  process.exit(1);
}
