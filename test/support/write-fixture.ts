import { DataSource } from 'typeorm';
import { readEnvironment } from '../../src/config/env.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { TableVersions } from '../../src/database/table-versions.service.js';
import type { TextPool } from '../../src/wordpress/rendering/text-pool.js';
import { startApp, type TestApp } from './app.js';
import { type Caller, clientOf, type Reply, type Send } from './calendar-client.js';
import { census, type EventRows, eventRows } from './event-rows.js';
import { type Ask, brokenRows } from './invariants.js';
import { type DatabaseName, makeSite } from './sites.js';

/** A server on a database of its own, with shortcuts to write events and read their rows. */
export interface WriteFixture {
  /** The `DATABASE_URL` of another server on the same rows. */
  databaseUrl: string;
  app: TestApp;
  send: Send;
  ask: Ask;
  /** Creates an event, published in two months by default; returns the response. */
  create(fields?: Record<string, unknown>, caller?: Caller): Promise<Reply['body']>;
  /** The id of an event for rejected requests, which leave it unchanged. */
  target(): Promise<unknown>;
  /** Updates an event; fails unless it is accepted. Returns the response. */
  update(id: unknown, fields: Record<string, unknown>, caller?: Caller): Promise<Reply['body']>;
  rows(id: unknown): Promise<EventRows>;
  /** Runs an action that must leave every table unchanged. */
  unchanged<T>(work: () => Promise<T>): Promise<T>;
  /** Sends a request that must be rejected and leave every table unchanged; returns `status code parameters`. */
  refusal(caller: Caller, method: string, path: string, body?: unknown): Promise<string>;
  close(): Promise<void>;
}

/** Opens the recorded site; `prepare` may run statements before the server starts, `env` are further variables. */
export async function openWriteFixture(
  database: DatabaseName,
  prepare?: (ask: Ask) => Promise<void>,
  env?: Readonly<Record<string, string>>,
  textPool?: TextPool,
): Promise<WriteFixture> {
  const site = await makeSite(database);
  if (prepare) await withRows(site.url, prepare);
  const app = await startApp({ databaseUrl: site.url, env, textPool });
  const send = clientOf(app.url);
  const ask: Ask = async (sql) => {
    const rows = await app.dataSource.query(sql);
    // Rows that a test writes directly show as if their second were over.
    if (!/^\s*SELECT/i.test(sql)) app.nest.get(TableVersions).invalidate();
    return rows;
  };
  const rows = (id: unknown) => eventRows(ask, Number(id));
  const done = (reply: Reply, status: number) => {
    if (reply.status !== status) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const create: WriteFixture['create'] = async (fields = {}, caller = 'admin') =>
    done(await send(caller, 'POST', '/events', { ...EVENT, ...fields }), 201);
  let target: Promise<Reply['body']> | undefined;
  let counting = false;
  const unchanged: WriteFixture['unchanged'] = async (work) => {
    // Counting takes longer than most rejections: it is done once around several.
    if (counting) return work();
    const before = await census(ask);
    counting = true;
    const answer = await work().finally(() => {
      counting = false;
    });
    expect(await census(ask)).toEqual(before);
    return answer;
  };
  return {
    databaseUrl: site.url,
    app,
    send,
    ask,
    rows,
    create,
    target: async () => {
      target ??= create();
      return (await target)['id'];
    },
    update: async (id, fields, caller = 'admin') =>
      done(await send(caller, 'PUT', `/events/${id}`, fields), 200),
    unchanged,
    refusal: async (caller, method, path, body) => {
      const { status, body: error } = await unchanged(() => send(caller, method, path, body));
      const { params = [] } = error['data'] as { params?: string[] | Record<string, string> };
      const names = Array.isArray(params) ? params : Object.keys(params);
      return [status, error['code'], ...names].join(' ');
    },
    close: async () => {
      await app.close();
      await site.drop();
    },
  };
}

/** Opens it, too; closing it fails if a row violates an invariant that held at the start. */
export async function openValidWriteFixture(
  database: DatabaseName,
  env?: Readonly<Record<string, string>>,
): Promise<WriteFixture> {
  const fixture = await openWriteFixture(database, undefined, env);
  const broken = await brokenRows(fixture.ask);
  return {
    ...fixture,
    close: async () => {
      try {
        expect(await brokenRows(fixture.ask)).toEqual(broken);
      } finally {
        await fixture.close();
      }
    },
  };
}

/** The required fields of an event. */
export const EVENT = {
  title: 'An event',
  start_date: '2091-05-01 10:00:00',
  end_date: '2091-05-01 12:30:00',
};

async function withRows(url: string, work: (ask: Ask) => Promise<void>): Promise<void> {
  const source = await new DataSource(dataSourceOptions(readEnvironment({ DATABASE_URL: url }))).initialize();
  try {
    await work((sql) => source.query(sql));
  } finally {
    await source.destroy();
  }
}
