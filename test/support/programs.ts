import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** The path of an installed program; undefined where there is none. */
export function findProgram(name: string): string | undefined {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/sbin',
    '/usr/local/sbin',
    '/usr/local/bin',
  ];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** The path of a program of MariaDB. */
export function program(name: string): string {
  const found = findProgram(name);
  if (!found) throw new Error(`No ${name} found: install mariadb-server or set TEST_DATABASE_URL.`);
  return found;
}

/** Makes the data of a MariaDB server below a folder; answers the options that the server takes. */
export async function installMariadb(folder: string, ...further: string[]): Promise<string[]> {
  mkdirSync(join(folder, 'tmp'), { recursive: true });
  const options = [
    '--no-defaults',
    `--datadir=${join(folder, 'data')}`,
    // A starting server clears its temporary folder, also of another server's files.
    `--tmpdir=${join(folder, 'tmp')}`,
    '--skip-name-resolve',
    ...(process.getuid?.() === 0 ? ['--user=root'] : []),
    ...further,
  ];
  const install = [...options, '--auth-root-authentication-method=normal', '--skip-test-db'];
  await promisify(execFile)(program('mariadb-install-db'), install);
  return options;
}
