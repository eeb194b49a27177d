import 'reflect-metadata';
import { exitWith } from '../exit-with.js';
import { StartError } from '../database/start-error.js';
import { indexes } from './indexes.js';
import { migrate } from './migrate.js';

const COMMANDS = new Map<string, () => Promise<void>>([
  ['migrate', () => migrate()],
  ['migrate --list', () => migrate({ list: true })],
  ['indexes', () => indexes()],
  ['indexes --apply', () => indexes({ change: 'apply' })],
  ['indexes --drop', () => indexes({ change: 'drop' })],
]);

const USAGE = `Usage: almanac (starts the server), ${[...COMMANDS.keys()].map((words) => `almanac ${words}`).join(', ')}.`;

/** Does what the words after `almanac` say; ends the process with 1 when it can not. */
export async function run(words: readonly string[]): Promise<void> {
  const command = COMMANDS.get(words.join(' '));
  try {
    if (words.at(-1) === '--help') console.log(USAGE);
    else if (command) await command();
    else throw new StartError(USAGE);
  } catch (error) {
    exitWith(error);
  }
}
