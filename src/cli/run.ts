import 'reflect-metadata';
import { exitWith } from '../exit-with.js';
import { StartError } from '../database/start-error.js';
import { migrate } from './migrate.js';

/** Does what the words after `almanac` say; ends the process with 1 when it can not. */
export async function run([command, ...rest]: readonly string[]): Promise<void> {
  const list = rest[0] === '--list';
  try {
    if (command !== 'migrate' || rest.length > Number(list))
      throw new StartError('Usage: almanac (starts the server), almanac migrate, almanac migrate --list.');
    await migrate({ list });
  } catch (error) {
    exitWith(error);
  }
}
