import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type BuiltServer, builtPackage, startBuilt } from './built-server.js';
import { testFolder } from './test-folder.js';

/** What documents call the server and its login, in the order in which they are looked for. */
const PLACEHOLDERS = (url: string, password: string): [string, string][] => [
  ['https://example.org/wp-json', url],
  ['https://example.org', url],
  ['http://localhost:3000', url],
  ['localhost:3000', new URL(url).host],
  ['xxxx xxxx xxxx xxxx xxxx xxxx', password],
];

/** A folder with a server, in which the commands of a document are run as they stand. */
export interface DocWorld {
  folder: string;
  server: BuiltServer;
  /** What each command prints, what it says on the standard error, and the code that it ends with; `input` is what they read. */
  run(
    commands: readonly string[],
    input?: string,
  ): Promise<{ printed: string; said: string; code: number }[]>;
  /** The text with the placeholders of documents filled in. */
  filled(text: string): string;
}

/** Ends what a command printed, and leaves its code to the next one, which may ask for it. */
const REPORT = "__code=$?; printf '\\036'; cat said; printf '\\036%s\\036' $__code; (exit $__code)";

let worlds = 0;

/** A world on the demo calendar, or on a database of its address. */
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
    // Programs that ask nothing may have ended before the answers are written.
    running.child.stdin?.on('error', () => undefined).end(input);
    const parts = (await running).stdout.split('\u001e');
    return commands.map((_, at) => {
      const [printed = '', said = '', code] = parts.slice(at * 3);
      return { printed, said, code: Number(code) };
    });
  };
  return { folder, server, run, filled };
}
