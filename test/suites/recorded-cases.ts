import { type RecordedCase, runCase } from '../conformance/run-case.mjs';
import { startApp, type TestApp } from '../support/app.js';
import { grouped } from '../support/groups.js';
import { mariadbClient } from '../support/mariadb-client.js';
import {
  loadRecording,
  type RecordingName,
  type RowClient,
  recordedSite,
  replayTarget,
} from '../support/replay.js';
import { type DatabaseName, makeSite, type Site } from '../support/sites.js';
import { sqliteClient } from '../support/sqlite-client.js';

/** A site whose rows may need another user or a latin1 connection to be read. */
export type RecordedSite = Site & { rowsUrl?: string; charset?: 'latin1' };

/** Cases that may differ, with the reason. */
export type Exceptions = Readonly<Record<string, string>>;

/**
 * Declares one test per kind of recorded cases, such as `events list`, against a server on a database of its own; a
 * failure lists every differing case. An exception that no longer differs fails, so that the list stays current.
 * `newSite` creates the recorded site.
 */
export function declareRecordedCases(
  name: RecordingName,
  database: DatabaseName,
  exceptions: Exceptions = {},
  newSite: () => Promise<RecordedSite> = () => makeSite(database, recordedSite(name)),
): void {
  const recording = loadRecording(name);
  const comparesRows = recording.cases.some(({ rows }) => rows);

  describe(name, () => {
    let site: RecordedSite;
    let app: TestApp;
    let client: RowClient | undefined;

    beforeAll(async () => {
      site = await newSite();
      if (comparesRows)
        client =
          database === 'SQLite'
            ? sqliteClient(site.url)
            : await mariadbClient(site.rowsUrl ?? site.url, site.charset);
      const env: Record<string, string> = site.charset ? { DATABASE_CHARSET: site.charset } : {};
      app = await startApp({ databaseUrl: site.url, now: recording.now, env });
    });
    afterAll(async () => {
      await client?.close();
      await app?.close();
      await site?.drop();
    });

    const differencesOf = async (recorded: RecordedCase): Promise<string[]> => {
      const found = await runCase(recorded, {
        ...replayTarget(recording, app.url, client?.ask),
        again: true,
      });
      if (!(recorded.name in exceptions)) return found;
      return found.length > 0 ? [] : ['listed as an exception, but it matches'];
    };

    for (const [group, cases] of grouped(recording.cases, (recorded) => kindOf(recorded)))
      it(`${group}: ${cases.length} cases match`, async () => {
        const failed: string[] = [];
        for (const recorded of cases) {
          const lines = await differencesOf(recorded).catch((error: Error) => [
            `no response: ${error.message}`,
          ]);
          const [{ path } = recorded] = recorded.steps ?? [];
          if (lines.length > 0)
            failed.push([recorded.name, path, ...lines.map((line) => `- ${line}`)].join('\n  '));
        }
        if (failed.length > 0)
          throw withoutStack(`${failed.length} of ${cases.length} differ\n\n${failed.join('\n\n')}`);
      });
  });
}

/** The part of a case's name before the colon. */
const kindOf = ({ name }: RecordedCase): string => name.split(':')[0] ?? '';

/** An error that jest shows without a code excerpt. */
function withoutStack(message: string): Error {
  return Object.assign(new Error(message), { stack: message });
}
