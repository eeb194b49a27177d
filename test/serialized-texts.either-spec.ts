import { serialize, unserialize } from '../src/lib/wordpress-text/php-serialize.js';
import type { Caller } from './support/calendar-client.js';
import type { EventRows } from './support/event-rows.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

/** Texts that WordPress would unserialize, the first two to objects of the author's choice. */
const VALUES = [
  'O:8:"stdClass":1:{s:1:"a";i:1;}',
  'C:11:"ArrayObject":21:{x:i:0;a:0:{};m:a:0:{}}',
  'a:1:{i:0;i:1;}',
  's:2:"no";',
  'i:5;',
  'b:1;',
  'N;',
  'E:7:"Foo:Bar";',
  'o: what nobody wrote, or will;',
];
const TEXTS = ['O: an open place', 'a:1 Street', 'N', 's:2', 'https://example.org/;', '12;', 'O:8'];

/** Removes the columns that every update changes. */
function withoutModified(rows: EventRows): EventRows {
  return Object.fromEntries(Object.entries(rows).filter(([name]) => !name.startsWith('post.post_modified')));
}

describeEither('texts in meta rows', (database) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database);
  });
  afterAll(async () => fixture?.close());

  async function meta(id: unknown, key: string): Promise<string[]> {
    const rows = await fixture.ask(
      `SELECT meta_value FROM wp_postmeta WHERE post_id = ${id} AND meta_key = '${key}' ORDER BY meta_id`,
    );
    return rows.map((row) => String(row['meta_value']));
  }

  const send = async (caller: Caller, method: string, path: string, body?: object) => {
    const { status, body: response } = await fixture.send(caller, method, path, body);
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(response)}`);
    return response;
  };

  it('are stored as strings for PHP and rendered as sent', async () => {
    for (const [at, address] of [...VALUES, ...TEXTS].entries()) {
      const written = VALUES.includes(address) ? serialize(address) : address;
      const created = await send('contributor', 'POST', '/venues', { venue: `Place ${at}`, address });
      expect([created['address'], await meta(created['id'], '_VenueAddress')]).toEqual([address, [written]]);
      expect(unserialize(written) ?? written).toBe(address);
      await send('contributor', 'PUT', `/venues/${created['id']}`, { address: 'Elsewhere' });
      expect(await meta(created['id'], '_VenueAddress')).toEqual(['Elsewhere']);
      const changed = await send('contributor', 'PUT', `/venues/${created['id']}`, { address });
      expect([changed['address'], await meta(created['id'], '_VenueAddress')]).toEqual([address, [written]]);
      expect((await send('contributor', 'GET', `/venues/${created['id']}`))['address']).toBe(address);
    }
  });

  it('of events, organizers and inline records are stored as strings for PHP', async () => {
    const [evil = ''] = VALUES;
    const event = await fixture.create({ cost: 'i:5;', organizer: [{ organizer: 'Somebody', phone: evil }] });
    const [organizer] = event['organizer'] as [{ id: number; phone: string }];
    expect([organizer.phone, await meta(organizer.id, '_OrganizerPhone')]).toEqual([evil, [serialize(evil)]]);
    const rows = await fixture.ask(
      `SELECT meta_key, meta_value FROM wp_postmeta WHERE post_id IN (${event['id']}, ${organizer.id})`,
    );
    const values = rows.filter(({ meta_value }) => typeof unserialize(String(meta_value)) === 'object');
    expect([...new Set(values.map(({ meta_key }) => meta_key))]).toEqual(['_tribe_modified_fields']);
    expect(rows.filter(({ meta_value }) => /^\s*[oc]:/i.test(String(meta_value)))).toEqual([]);
  });

  it('do not change when derived from another text or sent again', async () => {
    const [text = ''] = VALUES;
    const venue = { venue: 'Of a state', country: 'US', state: text, address: 's:1:"x";', zip: 'N;' };
    const { id } = await send('admin', 'POST', '/venues', venue);
    const before = await fixture.rows(id);
    await send('admin', 'PATCH', `/venues/${id}`, venue);
    expect(withoutModified(await fixture.rows(id))).toEqual(withoutModified(before));
    const changed = await send('admin', 'PATCH', `/venues/${id}`, { country: 'United States' });
    expect([changed['state'], changed['stateprovince']]).toEqual([text, text]);
    expect(await meta(id, '_VenueStateProvince')).toEqual([serialize(text)]);

    const event = { title: 'a:0:{}', excerpt: 'b:1;', cost: 'i:5;', website: 'https://example.org/?a:0:{}' };
    const created = await fixture.create();
    await fixture.update(created['id'], event);
    const rows = await fixture.rows(created['id']);
    await fixture.update(created['id'], event);
    expect(withoutModified(await fixture.rows(created['id']))).toEqual(withoutModified(rows));
  });

  it('are rendered as alternative texts of images', async () => {
    await fixture.ask(
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value)
       VALUES (4, '_wp_attachment_image_alt', '${serialize('b:1;')}')`,
    );
    const { description } = await fixture.create({ description: '[gallery ids="4"]' });
    expect(description).toContain('alt="b:1;"');
  });

  it('stored without escaping by another program are rendered as stored', async () => {
    const created = await send('admin', 'POST', '/venues', { venue: 'Old place', address: 'Old street' });
    await fixture.ask(
      `UPDATE wp_postmeta SET meta_value = 'i:5;' WHERE post_id = ${created['id']} AND meta_key = '_VenueAddress'`,
    );
    expect((await send('admin', 'GET', `/venues/${created['id']}`))['address']).toBe('i:5;');
  });
});
