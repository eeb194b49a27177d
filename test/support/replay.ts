import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import { REST_BASE_URL } from './app.js';
import { SITE_A, SITE_D } from './sites.js';

const SCRIPT = join(__dirname, '..', 'conformance', 'replay.mjs');
const FIXTURES = join(__dirname, '..', 'fixtures', 'conformance');

// The last line of the script is its command line: a module that jest has turned into CommonJS can not wait at the top.
const COMMAND_LINE = /\nif \(import\.meta\.url === [^\n]+\n*$/;

/** One recorded case; `replay.mjs` knows what is in it. */
export interface RecordedCase {
  name: string;
  path?: string;
  steps?: { path: string }[];
}

/** A file of recorded cases. */
export interface Recording {
  home: string;
  prefix: string;
  now: string;
  offsetMs: number;
  users: Readonly<Record<string, { login: string; password: string }>>;
  cases: RecordedCase[];
}

/** What `replay.mjs` needs to know of the server. */
export interface ReplayOptions {
  url: string;
  users: Recording['users'];
  prefix: string;
  /** Given where the rows that writes leave are compared too; the client knows which database it is. */
  db?: string;
  offsetMs: number;
  nowMs: number;
  replace: [from: string, to: string][];
  /** Counted up by each case whose rows were compared. */
  rowsCompared?: number;
}

/** Replays one case; returns the differences, none when it agrees. */
export type RunCase = (recorded: RecordedCase, options: ReplayOptions) => Promise<string[]>;

/** Takes the place of the `mariadb` program, which replay.mjs runs to see rows. */
export interface RowClient {
  /** Answers one line of text per row; the last argument is the SQL. */
  execute: (program: string, args: string[]) => string;
  close(): Promise<void>;
}

/** `runCase` of replay.mjs; rows are asked of the given client. */
export function loadRunCase({ execute }: RowClient): RunCase {
  const source = readFileSync(SCRIPT, 'utf8');
  if (!COMMAND_LINE.test(source)) throw new Error('replay.mjs no longer ends with its command line');
  const { code } = transformSync(source.replace(/^#!.*/, '').replace(COMMAND_LINE, '\n'), {
    jsc: { target: 'es2022', parser: { syntax: 'ecmascript' } },
    module: { type: 'commonjs' },
  });
  const load = createRequire(__filename);
  const required = (name: string): unknown =>
    name === 'node:child_process' ? { execFileSync: execute } : load(name);
  const script: { runCase?: RunCase } = {};
  new Function('exports', 'require', code)(script, required);
  if (!script.runCase) throw new Error('replay.mjs exports no runCase');
  return script.runCase;
}

/** Which recordings there are: a site and a file of it. */
export type RecordingName = 'site-a/read' | 'site-a/read-more' | 'site-a/write' | 'site-d/read';

/** The dump of the site that a recording was made on. */
export function recordedSite(name: RecordingName): string {
  return name.startsWith('site-d') ? SITE_D : SITE_A;
}

/** The recorded cases of one file. */
export function loadRecording(name: RecordingName): Recording {
  return JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), 'utf8')) as Recording;
}

/** The options under which a recording is replayed. */
export function replayOptions(recording: Recording, url: string, compareRows: boolean): ReplayOptions {
  const { home, prefix, now, offsetMs, users } = recording;
  const replace: [string, string][] = [
    [REST_BASE_URL, '{rest}'],
    [home, '{site}'],
  ];
  const db = compareRows ? 'mysql://client/site' : undefined;
  return { url, users, prefix, db, offsetMs, nowMs: Date.parse(now), replace };
}
