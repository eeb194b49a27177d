import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type BuiltServer, builtPackage, startBuilt } from './built-server.js';
import { testFolder } from './test-folder.js';

/** The placeholders of documents for server and login, in replacement order. */
const PLACEHOLDERS = (url: string, password: string): [string, string][] => [
  ['https://example.org/wp-json', url],
  ['https://example.org', url],
  ['http://localhost:3000', url],
  ['localhost:3000', new URL(url).host],
  ['xxxx xxxx xxxx xxxx xxxx xxxx', password],
];

/** A folder with a server, in which the commands of a document run unchanged. */
export interface DocWorld {
  folder: string;
  server: BuiltServer;
  /** The output, standard error and exit code of each command; `input` is their standard input. */
  run(
    commands: readonly string[],
    input?: string,
  ): Promise<{ printed: string; said: string; code: number }[]>;
  /** The text with placeholders replaced. */
  filled(text: string): string;
}

/** Marks the end of a command's output and preserves its exit code for the next one. */
const REPORT = "__code=$?; printf '\\036'; cat said; printf '\\036%s\\036' $__code; (exit $__code)";

let worlds = 0;

/** Creates one on the demo calendar, or on the database of a URL. */
export async function startDocWorld(databaseUrl = ''): Promise<DocWorld> {
  const almanac = join(await builtPackage(), 'bin', 'almanac.cjs');
  const folder = join(testFolder(), `world-${process.pid}-${++worlds}`);
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const tool = (name: string, script: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  tool('almanac', `exec "${process.execPath}" "${almanac}" "$@"`);
  tool('npx', '[ "$1" = almanac ] && shift && exec almanac "$@"\necho "npx $1?" >&2; exit 64');
  const paths = process.env['PATH'] ?? '';
  tool('curl', `PATH="${paths}" exec curl -sS --fail-with-body "$@"`);
  const PATH = `${bin}${delimiter}${paths}`;
  const server = await startBuilt(databaseUrl, [], {
    cwd: folder,
    env: { REST_BASE_URL: '', API_NAMESPACES: 'cal/events/v1,tribe/events/v1' },
  });
  const [, password = ''] = /application password "(.*?)"/.exec(server.log()) ?? [];
  const filled = (text: string) =>
    PLACEHOLDERS(server.url, password).reduce((now, [name, value]) => now.replaceAll(name, value), text);
  const run: DocWorld['run'] = async (commands, input = '') => {
    const script = commands.map((command) => `{ ${filled(command)}\n} 2> said; ${REPORT}`).join('\n');
    const env = {
      ...process.env,
      PATH,
      DATABASE_URL: databaseUrl,
      NODE_NO_WARNINGS: '1',
      LOG_LEVEL: 'error',
    };
    const running = promisify(execFile)('bash', ['-c', `${script}\nexit 0`], { cwd: folder, env });
    // Programs without questions may have ended before the input is written.
    running.child.stdin?.on('error', () => undefined).end(input);
    const parts = (await running).stdout.split('\u001e');
    return commands.map((_, at) => {
      const [printed = '', said = '', code] = parts.slice(at * 3);
      return { printed, said, code: Number(code) };
    });
  };
  return { folder, server, run, filled };
}
