import type { Environment } from '../config/env.js';
import { CreateChanges1764000000000 } from './migrations/1764000000000-create-changes.js';
import { CreateIdempotency1764000000002 } from './migrations/1764000000002-create-idempotency.js';
import type { Migrations } from './plugin-migrations.js';

/** Almanac's migrations that only some sites ask for, oldest first, each with its condition. */
const OPTIONAL: readonly { migration: Migrations[number]; isWanted: (env: Environment) => boolean }[] = [
  { migration: CreateChanges1764000000000, isWanted: ({ changes }) => changes === 'on' },
  { migration: CreateIdempotency1764000000002, isWanted: ({ changes }) => changes === 'on' },
];

/**
 * The migrations of the tables that the configuration asks for. `almanac migrate` runs them before those of plugins, and so
 * does the first start of a new site; both record them in one table (`PLUGIN_MIGRATIONS`).
 */
export function ownMigrations(env: Environment): Migrations {
  return OPTIONAL.filter(({ isWanted }) => isWanted(env)).map(({ migration }) => migration);
}

/** Whether a migration is Almanac's own. */
export function isOwnMigration(name: string): boolean {
  return OPTIONAL.some(({ migration }) => migration.name === name);
}
