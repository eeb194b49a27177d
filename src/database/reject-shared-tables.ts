import type { DataSource } from 'typeorm';
import { SITE_MIGRATIONS } from './data-source-options.js';
import { PLUGIN_MIGRATIONS } from './plugin-migrations.js';
import { StartError } from './start-error.js';

/** Refuses two entities of one table, so that no plugin's takes one of ours; kinds of one parent are one entity. */
export function rejectSharedTables({ entityMetadatas, options }: DataSource): void {
  const own = [SITE_MIGRATIONS, `${options.entityPrefix ?? ''}${PLUGIN_MIGRATIONS}`];
  const owners = new Map(own.map((table) => [table, 'Almanac']));
  for (const { tableName, tableType, name } of entityMetadatas) {
    if (tableType === 'entity-child') continue;
    // Some servers do not tell letter case in names of tables.
    const table = tableName.toLowerCase();
    const other = owners.get(table);
    if (other !== undefined)
      throw new StartError(
        `Both ${other} and ${name} have the table ${tableName}: the tables of a plugin need a prefix of its own.`,
      );
    owners.set(table, name);
  }
}
