import { startApp, type TestApp } from '../support/app.js';
import { mariadbClient } from '../support/mariadb-client.js';
import {
  loadRecording,
  loadRunCase,
  type RecordingName,
  type RowClient,
  type RunCase,
  recordedSite,
  replayOptions,
} from '../support/replay.js';
import { type DatabaseName, makeSite, type Site } from '../support/sites.js';
import { sqliteClient } from '../support/sqlite-client.js';

/** A site whose rows may have to be looked at as another user than the server's. */
export type RecordedSite = Site & { rowsUrl?: string };

/** Cases that may differ, each with its reason. */
export type Exceptions = Readonly<Record<string, string>>;

/**
 * Declares one test per recorded case, in the recorded order, against a server on a database of its own; prints how
 * many agree. An exception that no longer differs fails, so that the list can not rot. `newSite` makes the recorded site.
 */
export function replayCases(
  name: RecordingName,
  database: DatabaseName,
  exceptions: Exceptions = {},
  newSite: () => Promise<RecordedSite> = () => makeSite(database, recordedSite(name)),
): void {
  const recording = loadRecording(name);
  let site: RecordedSite;
  let app: TestApp;
  let client: RowClient;
  let runCase: RunCase;
  let agreed = 0;
  let withRows = 0;
  let failure: unknown;

  beforeAll(async () => {
    try {
      site = await newSite();
      client = database === 'SQLite' ? sqliteClient(site.url) : mariadbClient(site.rowsUrl ?? site.url);
      runCase = loadRunCase(client);
      app = await startApp({ databaseUrl: site.url, now: recording.now });
    } catch (error) {
      failure = error;
    }
  });
  afterAll(async () => {
    const rows = withRows > 0 ? `, rows compared in ${withRows}` : '';
    process.stdout.write(`${name}, ${database}: ${agreed} of ${recording.cases.length} cases agree${rows}\n`);
    await client?.close();
    await app?.close();
    await site?.drop();
  });

  it.each(recording.cases)('$name', async (recorded) => {
    if (failure) {
      const thrown = failure;
      failure = brief('there is no server: the first case says why');
      throw thrown;
    }
    const options = replayOptions(recording, app.url, name === 'site-a/write');
    const differences = await runCase(recorded, options);
    if (differences.length === 0) agreed++;
    withRows += options.rowsCompared ?? 0;
    const excused = recorded.name in exceptions;
    if (excused && differences.length === 0) throw brief('listed as an exception, but it agrees');
    if (!excused && differences.length > 0)
      throw brief([(recorded.steps ?? [recorded])[0]?.path, ...differences].join('\n'));
  });
}

/** An error that jest shows without an excerpt of this file. */
function brief(message: string): Error {
  return Object.assign(new Error(message), { stack: message });
}
