import { serialize, unserialize } from '../src/lib/wordpress-text/php-serialize.js';
import type { Caller } from './support/calendar-client.js';
import type { EventRows } from './support/event-rows.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

/** What WordPress would read as a value, the first two as objects of whoever wrote them. */
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

/** Rows without what every update moves. */
function lasting(rows: EventRows): EventRows {
  return Object.fromEntries(Object.entries(rows).filter(([name]) => !name.startsWith('post.post_modified')));
}

describeEither('texts in rows of meta', (database) => {
  let ground: WriteFixture;
  beforeAll(async () => {
    ground = await openWriteFixture(database);
  });
  afterAll(async () => ground?.close());

  async function meta(id: unknown, key: string): Promise<string[]> {
    const rows = await ground.ask(
      `SELECT meta_value FROM wp_postmeta WHERE post_id = ${id} AND meta_key = '${key}' ORDER BY meta_id`,
    );
    return rows.map((row) => String(row['meta_value']));
  }

  const send = async (caller: Caller, method: string, path: string, body?: object) => {
    const { status, body: answer } = await ground.send(caller, method, path, body);
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(answer)}`);
    return answer;
  };

  it('never become values of PHP, whoever wrote them, and are shown as they were sent', async () => {
    for (const [at, address] of [...VALUES, ...TEXTS].entries()) {
      const written = VALUES.includes(address) ? serialize(address) : address;
      const made = await send('contributor', 'POST', '/venues', { venue: `Place ${at}`, address });
      expect([made['address'], await meta(made['id'], '_VenueAddress')]).toEqual([address, [written]]);
      expect(unserialize(written) ?? written).toBe(address);
      await send('contributor', 'PUT', `/venues/${made['id']}`, { address: 'Elsewhere' });
      expect(await meta(made['id'], '_VenueAddress')).toEqual(['Elsewhere']);
      const changed = await send('contributor', 'PUT', `/venues/${made['id']}`, { address });
      expect([changed['address'], await meta(made['id'], '_VenueAddress')]).toEqual([address, [written]]);
      expect((await send('contributor', 'GET', `/venues/${made['id']}`))['address']).toBe(address);
    }
  });

  it('nor do those of events, organizers and inline records', async () => {
    const [evil = ''] = VALUES;
    const event = await ground.create({ cost: 'i:5;', organizer: [{ organizer: 'Somebody', phone: evil }] });
    const [organizer] = event['organizer'] as [{ id: number; phone: string }];
    expect([organizer.phone, await meta(organizer.id, '_OrganizerPhone')]).toEqual([evil, [serialize(evil)]]);
    const rows = await ground.ask(
      `SELECT meta_key, meta_value FROM wp_postmeta WHERE post_id IN (${event['id']}, ${organizer.id})`,
    );
    const values = rows.filter(({ meta_value }) => typeof unserialize(String(meta_value)) === 'object');
    expect([...new Set(values.map(({ meta_key }) => meta_key))]).toEqual(['_tribe_modified_fields']);
    expect(rows.filter(({ meta_value }) => /^\s*[oc]:/i.test(String(meta_value)))).toEqual([]);
  });

  it('stay as they are when one is made of another, and when the same is sent again', async () => {
    const [text = ''] = VALUES;
    const venue = { venue: 'Of a state', country: 'US', state: text, address: 's:1:"x";', zip: 'N;' };
    const { id } = await send('admin', 'POST', '/venues', venue);
    const before = await ground.rows(id);
    await send('admin', 'PATCH', `/venues/${id}`, venue);
    expect(lasting(await ground.rows(id))).toEqual(lasting(before));
    const changed = await send('admin', 'PATCH', `/venues/${id}`, { country: 'United States' });
    expect([changed['state'], changed['stateprovince']]).toEqual([text, text]);
    expect(await meta(id, '_VenueStateProvince')).toEqual([serialize(text)]);

    const event = { title: 'a:0:{}', excerpt: 'b:1;', cost: 'i:5;', website: 'https://example.org/?a:0:{}' };
    const made = await ground.create();
    await ground.update(made['id'], event);
    const rows = await ground.rows(made['id']);
    await ground.update(made['id'], event);
    expect(lasting(await ground.rows(made['id']))).toEqual(lasting(rows));
  });

  it('are shown as texts of images too', async () => {
    await ground.ask(
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value)
       VALUES (4, '_wp_attachment_image_alt', '${serialize('b:1;')}')`,
    );
    const { description } = await ground.create({ description: '[gallery ids="4"]' });
    expect(description).toContain('alt="b:1;"');
  });

  it('that were written as they are by somebody else are shown as they are', async () => {
    const made = await send('admin', 'POST', '/venues', { venue: 'Old place', address: 'Old street' });
    await ground.ask(
      `UPDATE wp_postmeta SET meta_value = 'i:5;' WHERE post_id = ${made['id']} AND meta_key = '_VenueAddress'`,
    );
    expect((await send('admin', 'GET', `/venues/${made['id']}`))['address']).toBe('i:5;');
  });
});
