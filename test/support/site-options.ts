import { DataSource } from 'typeorm';
import { TableVersions } from '../../src/database/table-versions.service.js';
import type { TestServer } from '../../src/testing.js';

/** Sets options of the site, as another program would. */
export async function setOptions(
  { app }: TestServer,
  options: Readonly<Record<string, string>>,
): Promise<void> {
  const rows = app.get(DataSource);
  for (const [name, value] of Object.entries(options)) {
    await rows.query(`DELETE FROM wp_options WHERE option_name = '${name}'`);
    await rows.query(
      `INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('${name}', '${value}', 'yes')`,
    );
  }
  app.get(TableVersions).invalidate();
}
