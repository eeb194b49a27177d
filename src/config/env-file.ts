import { existsSync } from 'node:fs';

/** Reads `.env` of the working directory, if there is one, into the process's environment; what is set already stays. */
export function loadEnvFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}
