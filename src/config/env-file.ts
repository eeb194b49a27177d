import { existsSync, readFileSync } from 'node:fs';
import { systemErrorMessage } from '../common/errors/system-error-message.js';
import { type Environment, EnvironmentError, readEnvironment } from './env.js';

/** The configuration of the process; `.env` of the working directory adds variables that are not set. */
export function ownEnvironment(): Environment {
  if (existsSync('.env')) loadEnvFile();
  return readEnvironment(process.env);
}

function loadEnvFile(): void {
  try {
    // Node's own error does not tell why a file can not be read.
    readFileSync('.env');
  } catch (error) {
    throw new EnvironmentError(`The file .env can not be read: ${systemErrorMessage(error)}.`);
  }
  process.loadEnvFile('.env');
}
