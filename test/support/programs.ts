import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { onceForAllWorkers, testFolder } from './test-folder.js';

/** The database servers that tests start. */
export type ServerKind = 'mariadb' | 'mysql';

/** The folder of test/support/get-mysql.sh's MySQL; `ALMANAC_MYSQL` overrides it. */
const MYSQL =
  process.env['ALMANAC_MYSQL'] ||
  join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'almanac', 'mysql');

/** The path of an installed program; undefined without one. */
export function findProgram(name: string): string | undefined {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/sbin',
    '/usr/local/sbin',
    '/usr/local/bin',
  ];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Whether a server of a kind can be started. */
export function isInstalled(kind: ServerKind): boolean {
  if (kind === 'mysql') return existsSync(programOf('mysql'));
  return ['mariadbd', 'mariadb-install-db'].every((name) => findProgram(name) !== undefined);
}

/** The path of a server's program. */
export function programOf(kind: ServerKind): string {
  return kind === 'mysql' ? join(MYSQL, 'bin', 'mysqld') : program('mariadbd');
}

/** The path of a program of MariaDB. */
export function program(name: string): string {
  const found = findProgram(name);
  if (!found) throw new Error(`No ${name} found: install mariadb-server or set TEST_DATABASE_URL.`);
  return found;
}

/** Creates the data of a server in a folder; returns the server's options. */
export function installServer(kind: ServerKind, folder: string, ...further: string[]): Promise<string[]> {
  return kind === 'mysql' ? installMysql(folder, further) : installMariadb(folder, further);
}

/** No binary log, like MariaDB by default; options of a test come after these and override them. */
const MYSQL_OPTIONS = ['--mysqlx=OFF', '--skip-log-bin', '--innodb-redo-log-capacity=8M'];

/** Copies data that are initialized once: a second instead of several. */
async function installMysql(folder: string, further: string[]): Promise<string[]> {
  const root = process.getuid?.() === 0 ? ['--user=root'] : [];
  // The only test option that must match the initialization.
  const names = further.find((option) => option.startsWith('--lower-case-table-names='));
  const created = await onceForAllWorkers(`mysql-data${names ?? ''}`, () =>
    makeMysqlData([...MYSQL_OPTIONS, ...root, ...(names ? [names] : [])]),
  );
  mkdirSync(join(folder, 'tmp'), { recursive: true });
  // Each server needs its own generated UUID.
  const filter = (path: string) => basename(path) !== 'auto.cnf';
  await cp(created, join(folder, 'data'), { recursive: true, filter });
  const options = ['--no-defaults', `--datadir=${join(folder, 'data')}`, `--tmpdir=${join(folder, 'tmp')}`];
  return [...options, '--skip-name-resolve', ...root, ...MYSQL_OPTIONS, ...further];
}

async function makeMysqlData(options: string[]): Promise<string> {
  const folder = mkdtempSync(join(testFolder(), 'mysql-data-'));
  const users = join(folder, 'users.sql');
  writeFileSync(users, "CREATE USER root@'%'; GRANT ALL ON *.* TO root@'%' WITH GRANT OPTION;\n");
  const data = join(folder, 'data');
  const install = ['--no-defaults', '--initialize-insecure', `--datadir=${data}`, `--init-file=${users}`];
  await promisify(execFile)(programOf('mysql'), [...install, ...options]);
  return data;
}

async function installMariadb(folder: string, further: string[]): Promise<string[]> {
  mkdirSync(join(folder, 'tmp'), { recursive: true });
  const options = [
    '--no-defaults',
    `--datadir=${join(folder, 'data')}`,
    // A starting server empties its temporary folder, also of another server's files.
    `--tmpdir=${join(folder, 'tmp')}`,
    '--skip-name-resolve',
    ...(process.getuid?.() === 0 ? ['--user=root'] : []),
    ...further,
  ];
  const install = [...options, '--auth-root-authentication-method=normal', '--skip-test-db'];
  await promisify(execFile)(program('mariadb-install-db'), install);
  return options;
}
