import { declareRecordedCases, type RecordedSite } from '../suites/recorded-cases.js';
import { startApp, type TestApp } from '../support/app.js';
import { clientOf, type Send } from '../support/calendar-client.js';
import { SERVER, serverMissing } from '../support/mariadb.js';
import { askOf } from '../support/own-mariadb.js';
import { type OwnServer, startOwnServer } from '../support/own-server.js';
import { SERVER_NAME } from '../support/sites.js';
import { EVENT } from '../support/write-fixture.js';

/** Session settings that a server may impose; the last one also runs init_connect. */
const SERVERS = [
  { name: 'backslash', set: "sql_mode = 'NO_BACKSLASH_ESCAPES'" },
  { name: 'quotes', set: "sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,IGNORE_SPACE'" },
  { name: 'strict', set: "sql_mode = 'TRADITIONAL,ONLY_FULL_GROUP_BY,PAD_CHAR_TO_FULL_LENGTH'" },
  {
    name: 'init',
    set: `sql_mode = '', init_connect = "SET NAMES latin1, sql_mode = 'NO_BACKSLASH_ESCAPES,ANSI,TRADITIONAL', autocommit = 0,
      time_zone = '+13:00', sql_safe_updates = 1, sql_select_limit = 1"`,
  },
];

/** A text that changes its meaning with the handling of backslashes or quotes. */
const ODD = String.raw`It's a \' or "two" \\ -- ? é 😀 %_|`;

const describeHere = serverMissing() ? describe.skip : describe;

describeHere('a database server with another sql_mode', () => {
  let mariadb: OwnServer;

  beforeAll(async () => {
    mariadb = await startOwnServer(SERVER);
    // init_connect does not run for privileged users.
    await mariadb.ask('CREATE USER almanac');
    await mariadb.ask('GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, INDEX ON *.* TO almanac');
  });
  afterAll(() => mariadb?.kill());

  describe.each(SERVERS)('$name', ({ name, set }) => {
    const newSite = async (purpose: string): Promise<RecordedSite> => {
      await mariadb.ask("SET GLOBAL sql_mode = '', GLOBAL init_connect = ''");
      const site = await mariadb.newSite(`${name}_${purpose}`);
      await mariadb.ask(`SET GLOBAL ${set.replace(', init', ', GLOBAL init')}`);
      return { ...site, url: site.url.replace('root@', 'almanac@'), rowsUrl: site.url };
    };

    declareRecordedCases('site-a/read', SERVER_NAME, {}, () => newSite('reads'));
    declareRecordedCases('site-a/write', SERVER_NAME, {}, () => newSite('writes'));

    describe('texts', () => {
      let app: TestApp;
      let send: Send;

      beforeAll(async () => {
        const site = await newSite('texts');
        app = await startApp({ databaseUrl: site.url, env: { DATABASE_POOL_SIZE: '1' } });
        send = clientOf(app.url);
      });
      afterAll(() => app?.close());

      const list = async (path: string) => {
        const { status, body } = await send('anonymous', 'GET', path);
        return [status, body['code'], body['total']];
      };
      const injections = async () => {
        const ever = '/events?start_date=2000-01-01&end_date=2099-12-31';
        const slept = "SELECT COUNT(*) AS n FROM information_schema.processlist WHERE info LIKE '%SLEEP(%'";
        for (const filter of ['tags', 'categories', 'search', 'venue', 'organizer']) {
          const unknown = await list(`${ever}&${filter}=no-such-thing`);
          expect([filter, Number(unknown[0]) < 500]).toEqual([filter, true]);
          for (const text of [
            "x'))OR(SELECT SLEEP(9))OR(('",
            String.raw`x\'))OR(SELECT SLEEP(9))#`,
            'x"))OR(SLEEP(9))#',
          ])
            expect([filter, text, await list(`${ever}&${filter}=${encodeURIComponent(text)}`)]).toEqual([
              filter,
              text,
              unknown,
            ]);
        }
        expect((await askOf(mariadb.url)(slept)).map(({ n }) => Number(n))).toEqual([1]);
        for (const text of ["x' OR '1'='1", String.raw`x\' OR 1=1 #`])
          for (const path of ['/events/by-slug/', '/venues/by-slug/'])
            expect(
              (await send('anonymous', 'GET', path + encodeURIComponent(text))).status,
            ).toBeGreaterThanOrEqual(400);
      };
      const roundTrips = async () => {
        const { status, body } = await send('admin', 'POST', '/tags', { name: ODD, description: ODD });
        expect(status).toBe(201);
        const [{ name }] = await app.dataSource.query('SELECT name FROM wp_terms WHERE term_id = ?', [
          body['id'],
        ]);
        expect(name).toContain('é 😀 %_|');
        expect(name.match(/\\/g)).toHaveLength(3);
        const event = await send('admin', 'POST', '/events', {
          ...{ ...EVENT, title: ODD.replaceAll('\\', '\\\\'), status: 'draft' },
          venue: { venue: `Hall ${ODD}` },
        });
        expect(event.status).toBe(201);
        const [row] = await app.dataSource.query(
          'SELECT post_title AS title, post_date_gmt AS zero FROM wp_posts WHERE ID = ?',
          [event.body['id']],
        );
        expect({ ...row }).toEqual({ title: ODD, zero: '0000-00-00 00:00:00' });
        await send('admin', 'DELETE', `/tags/${body['id']}`);
      };

      it('stay texts, not SQL', injections);
      it('are stored as sent', roundTrips);

      it('stay texts in a session whose variables were reset', async () => {
        const reset = () =>
          app.dataSource.query(`SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES,ANSI_QUOTES,TRADITIONAL'`);
        await reset();
        await injections();
        await reset();
        await roundTrips();
        const [session] = await app.dataSource.query('SELECT @@SESSION.sql_mode AS mode');
        expect(session.mode).toBe('NO_ENGINE_SUBSTITUTION');
      });
    });
  });
});
