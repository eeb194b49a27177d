import { type TestApp, startApp } from '../support/app.js';
import { loadRecording, loadRunCase, type RunCase, replayOptions } from '../support/replay.js';
import { type DatabaseName, makeSite, type Site } from '../support/sites.js';
import { sqliteClient } from '../support/sqlite-client.js';

/** Cases that may differ, each with its reason. */
export type Exceptions = Readonly<Record<string, string>>;

/**
 * Declares one test per recorded case, in the recorded order, against a server on a database of its own; prints how
 * many agree. An exception that no longer differs fails, so that the list can not rot.
 */
export function replayCases(
  name: 'read' | 'write',
  database: DatabaseName,
  exceptions: Exceptions = {},
): void {
  const recording = loadRecording(name);
  let site: Site;
  let app: TestApp;
  let runCase: RunCase;
  let agreed = 0;

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url, now: recording.now });
    runCase = loadRunCase(database === 'SQLite' ? sqliteClient(site.url.slice('sqlite:'.length)) : undefined);
  });
  afterAll(async () => {
    process.stdout.write(`${name}, ${database}: ${agreed} of ${recording.cases.length} cases agree\n`);
    await app?.close();
    await site?.drop();
  });

  it.each(recording.cases)('$name', async (recorded) => {
    const db = database === 'SQLite' ? 'sqlite://localhost/site' : site.url;
    const options = replayOptions(recording, app.url, name === 'write' ? db : undefined);
    const differences = await runCase(recorded, options);
    if (differences.length === 0) agreed++;
    const excused = recorded.name in exceptions;
    if (excused && differences.length === 0) throw new Error('listed as an exception, but it agrees');
    if (!excused && differences.length > 0)
      throw new Error(`${(recorded.steps ?? [recorded])[0]?.path}\n${differences.join('\n')}`);
  });
}
