import { createConnection } from 'mysql2/promise';
import { doctor, fix } from '../src/cli/doctor.js';
import { readEnvironment } from '../src/config/env.js';
import { startApp, type TestApp } from './support/app.js';
import { clientOf, type Send } from './support/calendar-client.js';
import { makeLatin1Site } from './support/latin1-site.js';
import { query } from './support/own-mariadb.js';
import { describeDatabase, describeDatabases, makeEmpty, makeSite, type Site } from './support/sites.js';

const READS = [
  '/events?per_page=50&start_date=2000-01-01&status=publish,draft,private',
  '/events?per_page=50&page=2&start_date=2000-01-01&end_date=2099-12-31',
  '/venues?per_page=50',
  '/organizers?per_page=50',
  '/categories?per_page=50&hide_empty=0&orderby=id',
  '/tags?per_page=50&hide_empty=0&orderby=id',
];
const NAME = 'Café Zürich – „1 €“ 東京 🎉 \u0081';

/** The values of a single column as a PHP with a latin1 connection reads them: raw bytes, taken for UTF-8. */
async function readAsPhp(url: string, statement: string): Promise<string[]> {
  const connection = await createConnection({
    uri: url,
    charset: 'latin1_swedish_ci',
    rowsAsArray: true,
    typeCast: (field) => field.buffer(),
  });
  try {
    const [rows] = await connection.query(statement);
    return (rows as [Buffer][]).map(([bytes]) => bytes.toString());
  } finally {
    connection.destroy();
  }
}

/** A record with its terms sorted by id, as their order depends on the collation. */
const withSortedTerms = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, part) =>
    ['categories', 'tags'].includes(key) && Array.isArray(part)
      ? part.sort((a: { id: number }, b: { id: number }) => a.id - b.id)
      : part,
  );

for (const tables of ['latin1', 'mixed'] as const)
  describeDatabase(`a site whose PHP uses latin1, ${tables} tables`, 'MariaDB', () => {
    let site: Site;
    let app: TestApp;
    let send: Send;
    beforeAll(async () => {
      site = await makeLatin1Site(tables);
      app = await startApp({ databaseUrl: site.url, env: { DATABASE_CHARSET: 'latin1' } });
      send = clientOf(app.url);
    });
    afterAll(async () => {
      await app?.close();
      await site?.drop();
    });

    const encodingFindings = async (env: Record<string, string> = {}) => {
      const { findings } = await doctor({ env: readEnvironment({ DATABASE_URL: site.url, ...env }) });
      return findings.filter(({ kind }) => kind === 'encoding' || kind === 'storage');
    };
    const latin1 = { DATABASE_CHARSET: 'latin1' };

    it('returns the same records as a site that uses utf8mb4', async () => {
      const other = await makeSite('MariaDB');
      const utf8 = await startApp({ databaseUrl: other.url });
      try {
        for (const path of READS) {
          const [{ body }, { body: expected }] = await Promise.all([
            send('admin', 'GET', path),
            clientOf(utf8.url)('admin', 'GET', path),
          ]);
          expect(withSortedTerms(body)).toEqual(withSortedTerms(expected));
        }
      } finally {
        await utf8.close();
        await other.drop();
      }
    });

    it('stores writes so that PHP reads them as sent', async () => {
      const { status, body } = await send('admin', 'POST', '/events', {
        title: NAME,
        description: NAME,
        start_date: '2091-05-01 10:00',
        end_date: '2091-05-01 12:00',
        cost: '9 €',
        venue: { venue: `Halle ${NAME}`, city: 'Köln' },
        categories: ['Événements'],
      });
      expect(status).toBe(201);
      const { id, venue } = body as { id: number; venue: { id: number } };
      expect(body).toMatchObject({
        cost: '9€',
        venue: { city: 'Köln' },
      });
      expect(await readAsPhp(site.url, `SELECT post_title FROM wp_posts WHERE ID = ${id}`)).toEqual([NAME]);
      expect(
        await readAsPhp(
          site.url,
          `SELECT meta_value FROM wp_postmeta WHERE post_id = ${venue.id} AND meta_key = '_VenueCity'`,
        ),
      ).toEqual(['Köln']);
      expect(await readAsPhp(site.url, "SELECT name FROM wp_terms WHERE name LIKE '%nements'")).toEqual([
        'Événements',
      ]);
      // The stored bytes, independent of the connection's character set.
      expect(
        await query(
          site.url,
          `SELECT HEX(CONVERT(post_title USING latin1)) AS bytes FROM wp_posts WHERE ID = ${id}`,
        ),
      ).toEqual([{ bytes: Buffer.from(NAME).toString('hex').toUpperCase() }]);
    });

    it('finds records by such texts and derives slugs from them', async () => {
      const created = await send('admin', 'POST', '/events', {
        title: 'Übergrößenträger',
        start_date: '2091-06-01 10:00',
        end_date: '2091-06-01 12:00',
        tags: ['Größe'],
      });
      const { id, slug } = created.body as { id: number; slug: string };
      expect(slug).toBe('ubergrosentrager');
      for (const path of [
        `/events?start_date=2091-01-01&search=${encodeURIComponent('größenträger')}`,
        `/events?start_date=2091-01-01&search=${encodeURIComponent('größenträger')}&tags=${encodeURIComponent('grose')}`,
      ]) {
        const { status, body } = await send('anonymous', 'GET', path);
        expect([path, status, (body['events'] as { id: number }[]).map((one) => one.id)]).toEqual([
          path,
          200,
          [id],
        ]);
      }
      // The existing term is found, not created again.
      const repeated = await send('admin', 'POST', '/tags', { name: 'Größe' });
      expect([repeated.status, repeated.body['code']]).toEqual([400, 'term_exists']);
      const twin = await send('admin', 'POST', '/events', {
        title: 'Übergrößenträger',
        start_date: '2091-06-02 10:00',
        end_date: '2091-06-02 12:00',
      });
      expect(twin.body['slug']).toBe('ubergrosentrager-2');
    });

    it('returns texts that are genuine latin1, in whole or in part', async () => {
      const id = 55;
      const before = await readAsPhp(site.url, `SELECT post_title FROM wp_posts WHERE ID = ${id}`);
      const set = (hex: string) =>
        query(site.url, `UPDATE wp_posts SET post_title = CONVERT(X'${hex}' USING latin1) WHERE ID = ${id}`);
      const title = async () => {
        const { body } = await send('admin', 'GET', `/events/${id}?_raw=true`);
        return (body['raw'] as { title: string }).title;
      };
      await set('436166E9208031');
      expect(await title()).toBe('Café €1');
      await set('436166E92C20436166C3A9');
      expect(await title()).toBe('Café, Café');
      await set(Buffer.from(before[0] ?? '').toString('hex'));
      expect(await title()).toBe(before[0]);
    });

    it('makes almanac doctor report the number of affected rows and the right setting', async () => {
      const [found, ...others] = await encodingFindings();
      expect(others).toEqual([]);
      expect(found).toMatchObject({ name: 'encoding-latin1', severity: 'error', fixable: false });
      const counts = await Promise.all(
        [
          ['posts', 'post_title, post_excerpt, post_content'],
          ['postmeta', 'meta_value'],
          ['terms', 'name'],
          ['term_taxonomy', 'description'],
          ['options', 'option_value'],
          ['users', 'display_name'],
        ].map(([table, columns]) =>
          readAsPhp(
            site.url,
            `SELECT COUNT(*) FROM wp_${table} WHERE CONCAT_WS(' ', ${columns}) REGEXP '[^ -~\\t\\r\\n]'`,
          ),
        ),
      );
      expect(found?.count).toBe(counts.flat().reduce((sum, count) => sum + Number(count), 0));
      expect(found?.count).toBeGreaterThan(50);
      expect(found?.advice).toContain('Set DATABASE_CHARSET=latin1');
      expect(await encodingFindings(latin1)).toEqual([]);
    });
  });

describeDatabase('almanac doctor on a site whose PHP uses utf8mb4', 'MariaDB', () => {
  it('warns of DATABASE_CHARSET=latin1 and of double-encoded texts', async () => {
    const site = await makeSite('MariaDB');
    const findingCounts = async (env: Record<string, string> = {}) => {
      const { findings } = await doctor({ env: readEnvironment({ DATABASE_URL: site.url, ...env }) });
      return findings
        .filter(({ kind }) => ['encoding', 'storage'].includes(kind))
        .map(({ name, count }) => `${name} ${count}`);
    };
    try {
      expect(await findingCounts()).toEqual([]);
      expect((await findingCounts({ DATABASE_CHARSET: 'latin1' })).map((line) => line.split(' ')[0])).toEqual(
        ['encoding-unlike', 'encoding-beyond'],
      );
      await query(site.url, "UPDATE wp_posts SET post_title = 'CafÃ©' WHERE ID = 55");
      expect(await findingCounts()).toEqual(['encoding-twice 1']);
      await query(site.url, "SET sql_mode = ''; ALTER TABLE wp_posts CONVERT TO CHARACTER SET utf8mb3");
      expect(await findingCounts()).toEqual(['storage-characters 1', 'encoding-twice 1']);
      await expect(
        fix('encoding', async () => true, { env: readEnvironment({ DATABASE_URL: site.url }) }),
      ).rejects.toThrow('There is no fix');
    } finally {
      await site.drop();
    }
  });
});

describeDatabases('DATABASE_CHARSET=latin1', (database) => {
  it('stores the texts of a new site as sent', async () => {
    const site = await makeEmpty(database);
    const app = await startApp({ databaseUrl: site.url, env: { DATABASE_CHARSET: 'latin1' } });
    try {
      await app.dataSource.query(
        "UPDATE wp_options SET option_value = 'Café 東京' WHERE option_name = 'blogname'",
      );
      const rows = await app.dataSource.query(
        "SELECT option_value AS name FROM wp_options WHERE option_name = 'blogname'",
      );
      expect(rows).toEqual([{ name: 'Café 東京' }]);
      const { status, body } = await clientOf(app.url)(
        'anonymous',
        'GET',
        '/events?per_page=50&start_date=2000-01-01',
      );
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toMatch(/Ã|â€|\ufffd/);
    } finally {
      await app.close();
      await site.drop();
    }
  });
});
