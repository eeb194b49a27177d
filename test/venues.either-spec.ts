import { declareLinkedPostWrites } from './suites/linked-post-writes.js';
import { startApp } from './support/app.js';
import { clientOf, credentials } from './support/calendar-client.js';
import { type LinkedPostResource, useLinkedPostSite } from './support/linked-post-site.js';
import { describeEither, makeSite } from './support/sites.js';

type Fields = Record<string, unknown>;

const VENUES: LinkedPostResource = {
  plural: 'venues',
  word: 'venue',
  prefix: '_Venue',
  websiteKey: '_VenueURL',
  linkKey: '_EventVenueID',
  texts: ['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'website', 'stateprovince'],
};

describeEither('writing venues', (database) => {
  const fixture = useLinkedPostSite(database, VENUES);

  declareLinkedPostWrites(fixture, VENUES);

  describe('map flags', () => {
    it.each<[Fields, boolean, boolean]>([
      [{}, true, true],
      [{ show_map: 'YES', show_map_link: 'no' }, true, false],
      [{ show_map: '0', show_map_link: 'on' }, false, true],
      [{ show_map: '', show_map_link: 'anything' }, false, false],
    ])('of %j on create are %j and %j', async (fields, show_map, show_map_link) => {
      expect(await fixture().make(fields)).toMatchObject({ show_map, show_map_link });
    });

    it('W1: change independently of each other on update', async () => {
      const { make, change, rows } = fixture();
      const { id } = await make({ show_map: 'false', show_map_link: 'false' });
      expect(await change(id, { phone: '1' })).toMatchObject({ show_map: false, show_map_link: false });
      expect(await change(id, { show_map: 'true' })).toMatchObject({ show_map: true, show_map_link: false });
      expect(await rows(id)).toMatchObject({
        'meta._VenueShowMap': ['1'],
        'meta._EventShowMap': ['1'],
        'meta._VenueShowMapLink': ['false'],
        'meta._EventShowMapLink': [''],
      });
    });

    it.each([true, 1, null, [], {}])('W18: reject %j with 400 rest_invalid_param', async (flag) => {
      const rejection = await fixture().refusal('admin', 'POST', '/venues', {
        venue: 'Flagged',
        show_map: flag,
      });
      expect(rejection).toBe('400 rest_invalid_param show_map');
    });
  });

  describe('state or province', () => {
    it.each<[Fields, string]>([
      [{}, ''],
      [{ state: 'MA' }, 'MA'],
      [{ state: 'MA', country: 'US' }, 'MA'],
      [{ state: 'MA', province: 'Ontario', country: 'United States' }, 'MA'],
      [{ state: 'MA', province: 'Ontario', country: 'Canada' }, 'Ontario'],
      [{ state: 'MA', country: 'Canada' }, ''],
      [{ province: 'Ontario' }, 'Ontario'],
      [{ state: '', province: 'Ontario', country: 'US' }, 'Ontario'],
      [{ stateprovince: 'Bayern', state: 'MA' }, 'Bayern'],
      [{ stateprovince: '', state: 'MA' }, 'MA'],
    ])('is derived on create from %j: "%s"', async (fields, stored) => {
      const { make, rows } = fixture();
      const { id } = await make(fields);
      expect(await rows(id)).toMatchObject({ 'meta._VenueStateProvince': [stored] });
    });

    it.each<[Fields, string]>([
      [{ phone: '1' }, 'MA'],
      [{ state: 'NY' }, 'NY'],
      [{ country: 'Canada' }, 'Ontario'],
      [{ state: '' }, 'Ontario'],
      [{ stateprovince: 'Bayern' }, 'Bayern'],
      [{ stateprovince: '' }, ''],
      [{ stateprovince: '', province: 'Quebec', country: 'Canada' }, 'Quebec'],
    ])('W1: is derived on an update of MA, Ontario, US by %j: "%s"', async (fields, stored) => {
      const { make, change, rows } = fixture();
      const { id } = await make({ state: 'MA', province: 'Ontario', country: 'US' });
      await change(id, fields);
      expect(await rows(id)).toMatchObject({ 'meta._VenueStateProvince': [stored] });
    });
  });

  it('deletes permanently and responds [] when EMPTY_TRASH_DAYS is 0', async () => {
    const site = await makeSite(database);
    const app = await startApp({ databaseUrl: site.url, env: { EMPTY_TRASH_DAYS: '0' } });
    try {
      const send = clientOf(app.url);
      const count = async (table: string, column: string, id: unknown) => {
        const sql = `SELECT COUNT(*) AS n FROM ${table} WHERE ${column} = ${Number(id)}`;
        const [row]: { n: unknown }[] = await app.dataSource.query(sql);
        return Number(row?.n);
      };
      const { body } = await send('admin', 'POST', '/venues', { venue: 'Gone for good' });
      const dates = { start_date: '2091-05-01', end_date: '2091-05-01' };
      const event = await send('admin', 'POST', '/events', { title: 'At it', ...dates, venue: body['id'] });
      const relation = `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (${body['id']}, 1)`;
      await app.dataSource.query(relation);
      const response = await fetch(`${app.url}/cal/events/v1/venues/${body['id']}`, {
        method: 'DELETE',
        headers: credentials('admin'),
      });
      expect([response.status, await response.text()]).toEqual([200, '[]']);
      expect(await count('wp_posts', 'ID', body['id'])).toBe(0);
      expect(await count('wp_postmeta', 'post_id', body['id'])).toBe(0);
      expect(await count('wp_term_relationships', 'object_id', body['id'])).toBe(0);
      const read = await send('admin', 'GET', `/events/${event.body['id']}`);
      expect(read.body).toMatchObject({ venue: [] });
      expect((await send('admin', 'DELETE', `/venues/${body['id']}`)).status).toBe(400);
    } finally {
      await app.close();
      await site.drop();
    }
  });
});
