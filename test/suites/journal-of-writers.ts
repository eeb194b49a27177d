import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltServer, startBuilt } from '../support/built-server.js';
import { clientOf } from '../support/calendar-client.js';
import { makeJournalTables } from '../support/journal-site.js';
import { askOf } from '../support/own-mariadb.js';
import { EVENT } from '../support/write-fixture.js';

/** Writers per server, and the writes of each. */
const WRITERS = 4;
const WRITES = 25;
const FOREIGN_WRITES = 60;
const PATIENCE_MS = 120_000;

interface Entry {
  seq: number;
  record_type: string;
  record_id: number;
  change_kind: string;
  status: string;
  slug: string;
  source: string;
}

/** Declares a test of parallel writers on servers with these databases, which hold the same rows; the first one is killed. */
export function declareJournalOfWriters(urls: () => readonly string[]): void {
  const servers: BuiltServer[] = [];
  afterAll(async () => {
    for (const one of servers) await one.kill();
  });

  /** Creates, changes and trashes events; returns the ids of confirmed creates. */
  async function write({ url }: BuiltServer, writer: string): Promise<number[]> {
    const send = clientOf(url);
    const ids: number[] = [];
    for (let number = 0; number < WRITES; number++) {
      const id = ids[(number * 7) % Math.max(1, ids.length)];
      const title = `Number ${number} of ${writer}`;
      const request: [method: string, path: string, body: unknown] =
        number % 3 === 0 || id === undefined
          ? ['POST', '/events', { ...EVENT, title, tags: [`Tag ${number % 4}`] }]
          : number % 7 === 0
            ? ['DELETE', `/events/${id}`, {}]
            : ['PUT', `/events/${id}`, { title, venue: { venue: `Hall ${number % 3}` } }];
      const reply = await send('admin', ...request).catch(() => undefined);
      if (reply?.status === 201) ids.push(Number(reply.body['id']));
      // The server is away, or another node was faster.
      if (!reply || reply.status >= 500) await sleep(200);
    }
    return ids;
  }

  it('has each record as it is, in entries without gaps, after parallel writes, kills and foreign changes', async () => {
    const [one = '', two = one] = urls();
    await makeJournalTables(one);
    const env = { CHANGES: 'on', LOG_LEVEL: 'warn' };
    for (const url of [one, two]) servers.push(await startBuilt(url, [], { env }));
    const [first, second] = servers as [BuiltServer, BuiltServer];
    const ask = askOf(one);
    const until = async (condition: () => Promise<boolean>) => {
      for (const giveUp = Date.now() + PATIENCE_MS; !(await condition()); await sleep(200))
        if (Date.now() > giveUp) throw new Error(`not within two minutes:\n${first.log()}\n${second.log()}`);
    };
    await until(async () => (await ask('SELECT 1 FROM wp_almanac_records WHERE record_id = 0')).length > 5);

    const php = async () => {
      const other = askOf(two);
      for (let number = 0; number < FOREIGN_WRITES; number++) {
        const any = `(SELECT id FROM (SELECT ID AS id FROM wp_posts WHERE post_type = 'tribe_events' ORDER BY ID DESC LIMIT 1 OFFSET ${number % 9}) one)`;
        const statement = [
          `UPDATE wp_posts SET post_title = 'Theirs ${number}' WHERE ID = ${any}`,
          `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ${any}, 'theirs', '${number}'`,
          `UPDATE wp_posts SET post_status = 'draft' WHERE ID = ${any}`,
          `DELETE FROM wp_posts WHERE ID = ${any}`,
        ][number % 16 === 3 ? 3 : number % 3];
        // On a cluster another node may be faster.
        await other(String(statement)).catch(() => undefined);
        await sleep(50);
      }
    };
    const kills = async () => {
      for (let round = 0; round < 2; round++) {
        await sleep(1500);
        await first.kill();
        await first.restart();
      }
    };
    const writers = [first, second].flatMap((server, at) =>
      Array.from({ length: WRITERS }, (_, number) => write(server, `${at}.${number}`)),
    );
    const [created] = await Promise.all([Promise.all(writers), php(), kills()]);
    const posts = async () =>
      (await ask(
        "SELECT ID AS id, post_status AS status, post_name AS slug FROM wp_posts WHERE post_type = 'tribe_events' AND ID >= 700000 AND post_status <> 'auto-draft' ORDER BY ID",
      )) as unknown as { id: number; status: string; slug: string }[];
    const journal = async () =>
      (await ask('SELECT * FROM wp_almanac_changes ORDER BY seq')) as unknown as Entry[];
    /** The last state of each event by the entries alone. */
    const mirror = (entries: readonly Entry[]) => {
      const last = new Map<number, { status: string; slug: string }>();
      for (const { record_type: type, record_id: id, change_kind: change, status, slug } of entries)
        if (change === 'deleted') last.delete(id);
        else if (type === 'tribe_events' && id >= 700_000) last.set(id, { status, slug });
      return last;
    };
    const isEqual = async () => {
      const [entries, rows] = [await journal(), await posts()];
      const known = mirror(entries);
      return (
        rows.length === known.size &&
        rows.every(({ id, status, slug }) => known.get(id)?.status === status && known.get(id)?.slug === slug)
      );
    };
    await until(isEqual);
    const [hall] = await ask("SELECT ID AS id FROM wp_posts WHERE post_title = 'Hall 1' LIMIT 1");
    const renamed = await clientOf(second.url)('admin', 'PUT', `/venues/${hall?.['id']}`, {
      venue: 'Renamed',
    });
    expect(renamed.status).toBe(200);
    await until(async () => (await journal()).some(({ source }) => source === 'linked'));
    const entries = await journal();
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, at) => at + 1));
    const rows = new Set((await posts()).map(({ id }) => id));
    for (const id of created.flat()) {
      const own = entries.filter(({ record_id }) => record_id === id);
      expect([id, own[0]?.change_kind, own[0]?.source]).toEqual([id, 'created', 'almanac']);
      if (!rows.has(id)) expect([id, own.at(-1)?.change_kind]).toEqual([id, 'deleted']);
    }
    expect(created.flat().length).toBeGreaterThan(2 * WRITERS * 3);
    expect(entries.some(({ source }) => source === 'foreign')).toBe(true);
  });
}
