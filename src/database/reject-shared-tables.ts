import type { DataSource } from 'typeorm';
import { SITE_MIGRATIONS } from './data-source-options.js';
import { PLUGIN_MIGRATIONS } from './plugin-migrations.js';
import { StartError } from './start-error.js';

/** Throws `StartError` for two entities with one table; child entities share their parent's. */
export function rejectSharedTables({ entityMetadatas, options }: DataSource): void {
  const own = [SITE_MIGRATIONS, `${options.entityPrefix ?? ''}${PLUGIN_MIGRATIONS}`];
  const owners = new Map(own.map((table) => [table, 'Almanac']));
  for (const { tableName, tableType, name } of entityMetadatas) {
    if (tableType === 'entity-child') continue;
    // Table names are case-insensitive on some servers.
    const table = tableName.toLowerCase();
    const other = owners.get(table);
    if (other !== undefined)
      throw new StartError(
        `Both ${other} and ${name} have the table ${tableName}: the tables of a plugin need a prefix of its own.`,
      );
    owners.set(table, name);
  }
}
