import { createConnection } from 'mysql2/promise';
import { startApp, type TestApp } from '../support/app.js';
import { clientOf, type Send } from '../support/calendar-client.js';
import { census } from '../support/event-rows.js';
import { brokenRows } from '../support/invariants.js';
import { journalReady, makeJournalTables } from '../support/journal-site.js';
import { SERVER, serverMissing } from '../support/mariadb.js';
import { type OwnServer, startOwnServer } from '../support/own-server.js';
import { EVENT } from '../support/write-fixture.js';

(serverMissing() ? describe.skip : describe)(`${SERVER} cannot write now`, () => {
  let mariadb: OwnServer;
  let app: TestApp;
  let send: Send;

  const start = async (options: readonly string[] = [], env: Record<string, string> = {}) => {
    mariadb = await startOwnServer(SERVER, ...options);
    if (env['CHANGES']) await makeJournalTables(mariadb.url);
    app = await startApp({ databaseUrl: mariadb.url, env });
    if (env['CHANGES']) await journalReady(app);
    app.nest.useLogger(false);
    send = clientOf(app.url);
  };
  afterEach(async () => {
    await app?.close();
    await mariadb?.kill();
  });

  it('answers 503 and writes nothing while another session locks a row, then works again', async () => {
    await start();
    const before = await census(mariadb.ask);
    const other = await createConnection(mariadb.url);
    await other.query('BEGIN');
    await other.query("SELECT * FROM wp_options WHERE option_name = 'tribe_last_save_post' FOR UPDATE");
    const { status, headers, body } = await send('admin', 'POST', '/events', {
      ...EVENT,
      tags: ['New here'],
    });
    expect([status, body['code'], headers.get('Retry-After')]).toEqual([503, 'database_unavailable', '1']);
    expect((await send('admin', 'GET', '/events')).status).toBe(200);
    await other.query('ROLLBACK');
    await other.end();
    expect(await census(mariadb.ask)).toEqual(before);
    expect((await send('admin', 'POST', '/events', EVENT)).status).toBe(201);
  });

  it('writes and journals where no statement can be prepared', async () => {
    await start([], { CHANGES: 'on' });
    await mariadb.ask('SET GLOBAL max_prepared_stmt_count = 0');
    const { status, body } = await send('admin', 'POST', '/events', EVENT);
    expect(status).toBe(201);
    expect((await send('admin', 'PUT', `/events/${body['id']}`, { title: 'Later' })).status).toBe(200);
    const entries = await mariadb.ask(
      `SELECT change_kind AS kind FROM wp_almanac_changes WHERE record_id = ${body['id']} ORDER BY seq`,
    );
    expect(entries.map(({ kind }) => kind)).toEqual(['created', 'updated']);
  });

  it('answers reads with 503 while a table is locked', async () => {
    await start();
    const other = await createConnection(mariadb.url);
    await other.query('LOCK TABLES wp_terms WRITE');
    const { status, headers } = await send('anonymous', 'GET', '/tags');
    expect([status, headers.get('Retry-After')]).toEqual([503, '1']);
    await other.end();
    expect((await send('anonymous', 'GET', '/tags')).status).toBe(200);
  });

  it('answers 503 when tables are full, and leaves no partial write', async () => {
    // MySQL's file exists already, with its initial size.
    const size = SERVER === 'mysql' ? '12M:autoextend:max:36M' : '36M';
    await start(['--innodb-file-per-table=0', `--innodb-data-file-path=ibdata1:${size}`]);
    const broken = await brokenRows(mariadb.ask);
    const description = 'x'.repeat(400_000);
    let last = 201;
    let created = 0;
    for (; last === 201 && created < 200; created++) {
      const { status, body } = await send('admin', 'POST', '/events', { ...EVENT, description });
      last = status;
      if (status !== 201) expect([status, body['code']]).toEqual([503, 'database_unavailable']);
    }
    expect(last).toBe(503);
    expect((await send('admin', 'GET', '/events/53')).status).toBe(200);
    expect(await brokenRows(mariadb.ask)).toEqual(broken);
  });
});
