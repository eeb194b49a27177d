import { existsSync, readFileSync } from 'node:fs';
import { systemErrorMessage } from '../common/errors/system-error-message.js';
import { type Environment, EnvironmentError, readEnvironment } from './env.js';

/** The configuration of the process; `.env` of the working directory adds what is not set already. */
export function ownEnvironment(): Environment {
  if (existsSync('.env')) loadEnvFile();
  return readEnvironment(process.env);
}

function loadEnvFile(): void {
  try {
    // Node says of a file that it can not read neither that nor why.
    readFileSync('.env');
  } catch (error) {
    throw new EnvironmentError(`The file .env can not be read: ${systemErrorMessage(error)}.`);
  }
  process.loadEnvFile('.env');
}
