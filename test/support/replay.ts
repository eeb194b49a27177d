import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedCase, Target } from '../conformance/run-case.mjs';
import type { AskRows } from '../conformance/stored-rows.mjs';
import { REST_BASE_URL } from './app.js';
import { SITE_A, SITE_D } from './sites.js';

const FIXTURES = join(__dirname, '..', 'fixtures', 'conformance');

/** A file of recorded cases. */
export interface Recording {
  home: string;
  prefix: string;
  now: string;
  offsetMs: number;
  users: Readonly<Record<string, { login: string; password: string }>>;
  cases: RecordedCase[];
}

/** A connection that reads the rows after writes. */
export interface RowClient {
  ask: AskRows;
  close(): Promise<void>;
}

/** Recordings: a site and a file of it. */
export type RecordingName = 'site-a/read' | 'site-a/read-more' | 'site-a/write' | 'site-d/read';

/** The dump of a recording's site. */
export function recordedSite(name: RecordingName): string {
  return name.startsWith('site-d') ? SITE_D : SITE_A;
}

/** The recorded cases of one file. */
export function loadRecording(name: RecordingName): Recording {
  return JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), 'utf8')) as Recording;
}

/** The server of a replay; `ask` is set where rows after writes are compared. */
export function replayTarget(recording: Recording, url: string, ask?: AskRows): Target {
  const { home, prefix, now, offsetMs, users } = recording;
  const replace: [string, string][] = [
    [REST_BASE_URL, '{rest}'],
    [home, '{site}'],
  ];
  return { url, users, prefix, ask, offsetMs, nowMs: Date.parse(now), replace };
}
