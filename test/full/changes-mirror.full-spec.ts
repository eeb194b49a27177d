import { setTimeout as sleep } from 'node:timers/promises';
import { type AlmanacClient, createAlmanacClient, type SyncBatch } from 'almanac-client';
import Libsql from 'libsql';
import { createPool } from 'mysql2/promise';
import { type BuiltServer, startBuilt } from '../support/built-server.js';
import { type Caller, clientOf, credentials } from '../support/calendar-client.js';
import { galeraMissing, startGalera } from '../support/galera.js';
import { makeJournalTables } from '../support/journal-site.js';
import { SERVER, serverMissing } from '../support/mariadb.js';
import { startOwnServer } from '../support/own-server.js';
import { ApiWriter, type Sql, SqlWriter } from '../support/random-writers.js';
import { makeSite } from '../support/sites.js';
import { SeededRandom } from '../support/unusual-values.js';

/** Random changes, half by the interface, half by statements. */
const CHANGES = 5000;
/** How often a server is killed. */
const KILLS = 8;
/** How long the last changes may take to reach the mirrors, in milliseconds. */
const PATIENCE_MS = 120_000;

/** A calendar that several programs write to. */
interface World {
  /** The address of the database for each server. */
  urls: readonly string[];
  /** What the program beside writes to. */
  sql: Sql & { end(): Promise<void> };
  end(): Promise<void>;
}

/** A record as text, without what changes without a change of the record. */
function comparable(record: object): string {
  return JSON.stringify(record, (key, value: unknown) => {
    if (key === 'occurrence_ids') return undefined;
    if (typeof value !== 'object' || value === null || !('taxonomy' in value)) return value;
    return { ...value, count: undefined };
  });
}

/** A copy of the calendar that follows its changes. */
class Mirror {
  records = new Map<string, string>();
  /** What a program that ends now finds when it begins again. */
  saved: { token?: string; records: Map<string, string> } = { records: new Map() };
  token?: string;
  batches = 0;
  resets = 0;

  apply({ changes, token, reset }: SyncBatch): void {
    if (reset) {
      this.records.clear();
      this.resets += 1;
    }
    for (const { type, id, record } of changes) {
      if (record) this.records.set(`${type} ${id}`, comparable(record));
      else this.records.delete(`${type} ${id}`);
    }
    this.token = token;
    this.batches += 1;
  }

  save(): void {
    this.saved = { token: this.token, records: new Map(this.records) };
  }

  /** Loses what came since the last save. */
  crash(): void {
    this.token = this.saved.token;
    this.records = new Map(this.saved.records);
  }
}

function declareMirrors(name: string, isMissing: boolean, open: () => Promise<World>): void {
  (isMissing ? describe.skip : describe)(name, () => {
    let world: World;
    let servers: BuiltServer[];
    const random = new SeededRandom(20);
    const ended = new AbortController();
    const following: Promise<void>[] = [];

    beforeAll(async () => {
      world = await open();
      const [first = ''] = world.urls;
      await makeJournalTables(first);
      const env = { CHANGES: 'on', RECURRENCE: 'on', DATABASE_TIMEOUT: '60s' };
      servers = [];
      for (const url of world.urls) servers.push(await startBuilt(url, [], { env }));
      const send = clientOf(servers[0]?.url ?? '');
      while ((await send('anonymous', 'GET', '/changes?since=now')).status === 503) await sleep(100);
    });
    afterAll(async () => {
      ended.abort();
      await Promise.allSettled(following);
      for (const server of servers ?? []) await server.kill();
      await world?.sql.end();
      await world?.end();
    });

    const clientAt = (url: string, caller: Caller): AlmanacClient => {
      const { Authorization } = credentials(caller);
      return createAlmanacClient({
        baseUrl: url,
        auth: Authorization ? () => ({ Authorization }) : undefined,
      });
    };

    /** Follows by a stream of one server. */
    async function follow(mirror: Mirror, url: string, caller: Caller): Promise<void> {
      const { signal } = ended;
      while (!signal.aborted)
        try {
          const options = { since: mirror.token, follow: true, signal };
          for await (const batch of clientAt(url, caller).sync(options)) mirror.apply(batch);
        } catch (error) {
          if (!signal.aborted) throw error;
        }
    }

    /** Polls all servers in turn; sometimes saves its state, and sometimes returns to the saved one, as after a crash. */
    async function poll(mirror: Mirror, caller: Caller): Promise<void> {
      for (let turn = 0; !ended.signal.aborted; turn++) {
        const { url = '' } = servers[turn % servers.length] ?? {};
        try {
          for await (const batch of clientAt(url, caller).sync({ since: mirror.token })) {
            mirror.apply(batch);
            if (random.roll(3) === 0) mirror.save();
            if (random.roll(20) === 0) {
              mirror.crash();
              break;
            }
          }
        } catch (error) {
          // The server was killed.
          if (!(error instanceof TypeError)) throw error;
        }
        await sleep(100);
      }
    }

    /** All records that a caller may see, as their own addresses show them; locked events as a new listing does. */
    async function original(caller: Caller): Promise<Map<string, string>> {
      const { url = '' } = servers[0] ?? {};
      const fresh = new Mirror();
      for await (const batch of clientAt(url, caller).sync()) fresh.apply(batch);
      const posts = await world.sql.rows(
        "SELECT ID AS id, post_type AS type FROM wp_posts WHERE post_type IN ('tribe_events', 'tribe_venue', 'tribe_organizer')",
      );
      const terms = await world.sql.rows(
        "SELECT term_id AS id, taxonomy AS type FROM wp_term_taxonomy WHERE taxonomy IN ('tribe_events_cat', 'post_tag')",
      );
      const paths: Record<string, string> = {
        tribe_events: 'events',
        tribe_venue: 'venues',
        tribe_organizer: 'organizers',
        tribe_events_cat: 'categories',
        post_tag: 'tags',
      };
      const found = new Map<string, string>();
      const send = clientOf(url);
      for (const { id, type } of [...posts, ...terms]) {
        const path = paths[String(type)] ?? '';
        const key = `${path} ${id}`;
        const { status, body } = await send(caller, 'GET', `/${path}/${id}?recurrence=true`);
        const locked = body['code'] === 'event-password-protected' ? fresh.records.get(key) : undefined;
        if (locked !== undefined) found.set(key, locked);
        else if (status === 200 && body['status'] !== 'trash') found.set(key, comparable(body));
      }
      return found;
    }

    const differences = (mirror: Mirror, truth: ReadonlyMap<string, string>) =>
      [...new Set([...mirror.records.keys(), ...truth.keys()])].filter(
        (key) => mirror.records.get(key) !== truth.get(key),
      );

    it(`mirrors equal the original after ${CHANGES} changes by all writers, with killed servers`, async () => {
      const [streaming, polling] = [new Mirror(), new Mirror()];
      following.push(follow(streaming, servers.at(-1)?.url ?? '', 'anonymous'), poll(polling, 'admin'));
      for (const one of following) one.catch((error) => ended.abort(error));
      let done = 0;
      const write = async (writer: { write(): Promise<void> }, most: number) => {
        for (let count = 0; count < most && !ended.signal.aborted; count++) {
          await writer.write();
          done += 1;
        }
      };
      const writers = servers.map(
        ({ url }, at) => new ApiWriter(`By ${at}`, url, credentials('admin'), new SeededRandom(at + 1)),
      );
      let isWritten = false;
      const writing = Promise.all([
        ...writers.map((writer) => write(writer, CHANGES / 2 / writers.length)),
        write(new SqlWriter(world.sql, new SeededRandom(99)), CHANGES / 2),
      ]).finally(() => {
        isWritten = true;
      });
      let kills = 0;
      while (!isWritten && !ended.signal.aborted) {
        await sleep(100);
        if (kills >= KILLS || done < ((kills + 1) * CHANGES) / (KILLS + 1)) continue;
        const server = servers[kills % servers.length];
        await server?.kill();
        await sleep(random.roll(1500));
        await server?.restart();
        kills += 1;
      }
      await writing;
      ended.signal.throwIfAborted();
      expect([done, kills]).toEqual([CHANGES, KILLS]);
      const callers = [
        ['anonymous', streaming],
        ['admin', polling],
      ] as const;
      for (const [caller, mirror] of callers) {
        const giveUp = Date.now() + PATIENCE_MS;
        let truth = await original(caller);
        while (differences(mirror, truth).length > 0 && Date.now() < giveUp) {
          await sleep(500);
          truth = await original(caller);
        }
        const differing = differences(mirror, truth).map((key) => [
          key,
          mirror.records.get(key),
          truth.get(key),
        ]);
        expect(differing).toEqual([]);
        expect(truth.size).toBeGreaterThan(300);
        // Nobody's rights have changed: a mirror that began again would hide a missed change.
        expect(mirror.resets).toBe(1);
      }
      const statuses = new Set(writers.flatMap((writer) => [...writer.statuses]));
      expect([...statuses].filter((status) => ![200, 201, 400, 403, 404, 410].includes(status))).toEqual([]);
      const written = writers.reduce((sum, writer) => sum + writer.written, 0);
      expect(written).toBeGreaterThan(CHANGES / 4);
    });
  });
}

/** A connection to MySQL that a program beside writes through. */
function mysqlWriter(uri: string): World['sql'] {
  const pool = createPool({ uri, charset: 'utf8mb4', connectionLimit: 1 });
  pool.pool.on('connection', (connection) => connection.query("SET SESSION sql_mode = ''"));
  return {
    rows: async (statement, ...values) => {
      const [rows] = await pool.query(statement, values);
      return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
    },
    insert: async (statement, ...values) => {
      const [result] = await pool.query(statement, values);
      return (result as { insertId: number }).insertId;
    },
    end: () => pool.end(),
  };
}

declareMirrors('mirrors of a site on a database server, two servers and PHP', serverMissing(), async () => {
  const database = await startOwnServer(SERVER);
  return { urls: [database.url, database.url], sql: mysqlWriter(database.url), end: () => database.kill() };
});

declareMirrors(
  'mirrors of a site on a Galera cluster, two servers and PHP on three nodes',
  galeraMissing(),
  async () => {
    const nodes = await startGalera();
    const [first = '', second = '', third = ''] = nodes.map(({ url }) => url);
    const end = async () => {
      for (const node of nodes) await node.kill();
    };
    return { urls: [first, second], sql: mysqlWriter(third), end };
  },
);

declareMirrors('mirrors of a site on SQLite, one server and a program beside', false, async () => {
  const site = await makeSite('SQLite');
  const file = new Libsql(site.url.replace('sqlite:', ''), { timeout: 10_000 });
  return {
    urls: [site.url],
    sql: {
      rows: async (statement, ...values) => {
        const prepared = file.prepare(statement);
        if (/^\s*SELECT/.test(statement)) return prepared.all(...values) as Record<string, unknown>[];
        prepared.run(...values);
        return [];
      },
      insert: async (statement, ...values) => Number(file.prepare(statement).run(...values).lastInsertRowid),
      end: async () => void file.close(),
    },
    end: () => site.drop(),
  };
});
