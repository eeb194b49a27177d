import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { Change } from '../../src/changes/change.js';
import { Journal } from '../../src/changes/journal.service.js';
import { JournalWriter } from '../../src/changes/journal-writer.service.js';
import { migrate } from '../../src/cli/migrate.js';
import { readEnvironment } from '../../src/config/env.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import type { TestApp } from './app.js';
import type { Ask } from './invariants.js';
import type { DatabaseName } from './sites.js';
import { openWriteFixture, type WriteFixture } from './write-fixture.js';

/** A site with a journal. */
export interface JournalFixture extends WriteFixture {
  journal: Journal;
  /** Runs a statement as another program. */
  php: Ask;
  /** Entries since the last call, or since the start, as `change type id source`. */
  news(): Promise<string[]>;
  /** The same, once there are so many; waits at most ten seconds. */
  newsOf(count: number): Promise<string[]>;
  /** Fails unless the entries are numbered without gaps and the state of each record is the last journaled one. */
  check(): Promise<void>;
}

/** How long tests wait for the detector, in milliseconds. */
const PATIENCE_MS = 30_000;

/** Makes the tables of the journal on a site. */
export function makeJournalTables(databaseUrl: string): Promise<string[]> {
  const env = readEnvironment({ DATABASE_URL: databaseUrl, CHANGES: 'on' });
  return migrate({ env, say: () => undefined });
}

/** Waits until all records are known. */
export async function journalReady(app: TestApp): Promise<Journal> {
  await app.nest.get(JournalWriter).enable();
  const journal = app.nest.get(Journal);
  for (const giveUp = Date.now() + PATIENCE_MS; !(await journal.isReady()); await sleep(20))
    if (Date.now() > giveUp) throw new Error('The journal is not ready.');
  return journal;
}

/** Opens the recorded site with a journal that knows all of its records. */
export async function openJournalFixture(
  database: DatabaseName,
  env: Readonly<Record<string, string>> = {},
): Promise<JournalFixture> {
  const fixture = await openWriteFixture(database, undefined, { CHANGES: 'on', ...env });
  await makeJournalTables(fixture.databaseUrl);
  const journal = await journalReady(fixture.app);
  const options = dataSourceOptions(readEnvironment({ DATABASE_URL: fixture.databaseUrl }));
  const other = await new DataSource(options).initialize();
  let seen = await journal.head();
  const newer = () => journal.after(seen, { limit: 10_000 });
  const take = (changes: Change[]) => {
    seen = changes.at(-1)?.seq ?? seen;
    return changes.map(({ change, type, id, source }) => `${change} ${type} ${id} ${source}`);
  };
  return {
    ...fixture,
    journal,
    php: (statement) => other.query(statement),
    news: async () => take(await newer()),
    newsOf: async (count) => {
      for (const giveUp = Date.now() + PATIENCE_MS; ; await sleep(20)) {
        const changes = await newer();
        if (changes.length >= count || Date.now() > giveUp) return take(changes);
      }
    },
    check: () => checkJournal(fixture.ask, journal),
    close: async () => {
      await other.destroy();
      await fixture.close();
    },
  };
}

/** Fails unless the entries have no gaps and the records that exist are those that are known. */
export async function checkJournal(ask: Ask, journal: Journal): Promise<void> {
  const [oldest, head] = [await journal.oldest(), await journal.head()];
  const entries = await journal.after(0, { limit: 1_000_000 });
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, at) => oldest + at));
  expect(entries.at(-1)?.seq ?? 0).toBe(head);
  const known = await ask(
    "SELECT record_id AS id, slug, status FROM wp_almanac_records WHERE record_id > 0 AND record_type LIKE 'tribe\\_%' AND record_type <> 'tribe_events_cat' ORDER BY record_id".replaceAll(
      '\\_',
      '_',
    ),
  );
  const posts = await ask(
    "SELECT ID AS id, post_name AS slug, post_status AS status FROM wp_posts WHERE post_type IN ('tribe_events', 'tribe_venue', 'tribe_organizer') AND post_status <> 'auto-draft' ORDER BY ID",
  );
  expect(known).toEqual(posts);
}
