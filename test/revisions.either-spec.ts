import { CALLERS, userId } from './support/calendar-client.js';
import { type Ask, askOf, type ProtocolResponse } from './support/protocol-client.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

interface Item {
  id: number;
  author: number;
  author_name: string;
  parent: number;
  slug: string;
  date: string;
  title: { raw?: string; rendered: string };
  content?: { raw?: string; rendered: string };
}

const itemsOf = ({ body }: ProtocolResponse) => body as unknown as Item[];
const statusAndCode = ({ status, body }: ProtocolResponse) => [status, body['code']];

describeEither('revisions in wp/v2', (database) => {
  let fixture: WriteFixture;
  let ask: Ask;
  let id: number;

  beforeAll(async () => {
    fixture = await openWriteFixture(database);
    ask = askOf(fixture.app.url);
    id = Number((await fixture.create({ title: 'One', description: 'First & <em>last</em>' })).id);
    fixture.app.clock.pass(60_000);
    await fixture.update(id, { title: 'Two' });
    fixture.app.clock.pass(60_000);
    await fixture.update(id, { description: 'Second' }, 'editor');
    await fixture.update(id, { cost: '5' });
  });
  afterAll(() => fixture?.close());

  const of = (path: string, more = '') => `/wp/v2/${path}/revisions${more}`;

  it('are those of the updates of texts, the newest first, with their authors', async () => {
    const response = await ask(of(`tribe_events/${id}`, '?context=edit'), { as: 'admin' });
    expect(response.headers['x-wp-total']).toBe('2');
    const [newest, oldest] = itemsOf(response);
    expect(newest).toMatchObject({
      author: userId('editor'),
      parent: id,
      slug: `${id}-revision-v1`,
      title: { raw: 'Two' },
      content: { raw: 'Second', rendered: '<p>Second</p>\n' },
    });
    expect(newest?.author_name).not.toBe('');
    expect(oldest).toMatchObject({ author: userId('admin'), title: { raw: 'Two' } });
    expect(oldest?.content?.raw).toBe('First & <em>last</em>');
    const alone = await ask(of(`tribe_events/${id}`, `/${newest?.id}?context=edit`), { as: 'admin' });
    expect(alone.body).toEqual(newest);
    const second = itemsOf(await ask(of(`tribe_events/${id}`, '?per_page=1&page=2'), { as: 'admin' }));
    expect(second.map((one) => [one.id, one.title])).toEqual([[oldest?.id, { rendered: 'Two' }]]);
    expect(itemsOf(await ask(of(`tribe_events/${id}`, '?search=last'), { as: 'admin' }))).toHaveLength(1);
  });

  it('are for users who may edit the record, of venues and organizers too', async () => {
    const { body: venue } = await fixture.send('admin', 'POST', '/venues', { venue: 'Hall' });
    await fixture.send('admin', 'PUT', `/venues/${venue['id']}`, { venue: 'Great hall' });
    const { body: organizer } = await fixture.send('admin', 'POST', '/organizers', { organizer: 'Club' });
    await fixture.send('admin', 'PUT', `/organizers/${organizer['id']}`, { organizer: 'Great club' });
    for (const path of [
      `tribe_events/${id}`,
      `tribe_venue/${venue['id']}`,
      `tribe_organizer/${organizer['id']}`,
    ])
      for (const as of CALLERS) {
        const response = await ask(of(path), { as });
        if (as === 'admin' || as === 'editor') {
          expect([path, as, response.status, itemsOf(response).length > 0]).toEqual([path, as, 200, true]);
          continue;
        }
        const refused = [as === 'anonymous' ? 401 : 403, 'rest_cannot_read'];
        expect([path, as, ...statusAndCode(response)]).toEqual([path, as, ...refused]);
        expect([path, as, ...statusAndCode(await ask(of(path, '/1'), { as }))]).toEqual([
          path,
          as,
          ...refused,
        ]);
      }
  });

  it('are 404 below another type, below what does not exist, and below another record', async () => {
    const [revision] = itemsOf(await ask(of(`tribe_events/${id}`), { as: 'admin' }));
    const other = (await fixture.create({ title: 'Other' }))['id'];
    for (const [path, code] of [
      [of(`tribe_venue/${id}`), 'rest_post_invalid_parent'],
      [of('tribe_events/999999'), 'rest_post_invalid_parent'],
      [of(`tribe_events/${revision?.id}`), 'rest_post_invalid_parent'],
      [of(`tribe_events/${other}`, `/${revision?.id}`), 'rest_post_invalid_id'],
      [of(`tribe_events/${id}`, '/999999'), 'rest_post_invalid_id'],
      ['/wp/v2/posts/1/revisions', 'rest_no_route'],
    ] as const)
      expect([path, ...statusAndCode(await ask(path, { as: 'admin' }))]).toEqual([path, 404, code]);
    expect(statusAndCode(await ask(of(`tribe_events/${id}`, '?page=9'), { as: 'admin' }))).toEqual([
      400,
      'rest_post_invalid_page_number',
    ]);
    const deleted = await ask(of(`tribe_events/${id}`, `/${revision?.id}`), {
      as: 'admin',
      method: 'DELETE',
    });
    expect(statusAndCode(deleted)).toEqual([404, 'rest_no_route']);
  });

  it('includes autosaves of WordPress, and no other children of the record', async () => {
    const insert = (name: string, type: string, status: string) =>
      fixture.ask(`INSERT INTO wp_posts (post_author, post_date, post_date_gmt, post_modified, post_modified_gmt, post_content,
        post_title, post_excerpt, to_ping, pinged, post_content_filtered, post_status, post_name, post_parent, post_type)
        VALUES (1, '2091-01-01 10:00:00', '2091-01-01 10:00:00', '2091-01-01 10:00:00', '2091-01-01 10:00:00', 'Typed',
        'Two', '', '', '', '', '${status}', '${name}', ${id}, '${type}')`);
    await insert(`${id}-autosave-v1`, 'revision', 'inherit');
    await insert('file', 'attachment', 'inherit');
    await insert('gone', 'revision', 'trash');
    const items = itemsOf(await ask(of(`tribe_events/${id}`), { as: 'admin' }));
    expect(items.map(({ slug }) => slug).filter((slug) => !slug.includes('-revision-'))).toEqual([
      `${id}-autosave-v1`,
    ]);
  });
});
