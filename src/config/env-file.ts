import { existsSync } from 'node:fs';
import { type Environment, readEnvironment } from './env.js';

/** The configuration of the process; `.env` of the working directory adds what is not set already. */
export function ownEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return readEnvironment(process.env);
}
