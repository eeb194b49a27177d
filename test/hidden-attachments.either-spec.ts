import type { Caller } from './support/calendar-client.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

// R15: what galleries and playlists show depends on who reads.

const READERS: readonly Caller[] = ['anonymous', 'contributor', 'author', 'editor', 'admin'];
const SIGNED_IN_STAFF: readonly Caller[] = ['editor', 'admin'];

/** What an event says that uses all ways to show what is attached to a parent, and how each part shows that it does. */
const PARTS = ['pic.jpg', 'pic.jpg', 'song.mp3', 'song.mp3', 'free.jpg', 'free.jpg'];

describeEither('attachments of hidden records', (database) => {
  let fixture: WriteFixture;
  let free: number;
  let nextId = 600_000;

  beforeAll(async () => {
    fixture = await openWriteFixture(database);
    free = await attach(0, 'free.jpg', 'image/jpeg');
  });
  afterAll(() => fixture?.close());

  async function attach(parent: number, file: string, type: string, status = 'inherit'): Promise<number> {
    const id = ++nextId;
    const now = "'2091-01-01 10:00:00'";
    await fixture.ask(
      `INSERT INTO wp_posts (ID, post_author, post_date, post_date_gmt, post_modified, post_modified_gmt, post_content,
       post_title, post_excerpt, to_ping, pinged, post_content_filtered, post_status, post_name, post_parent, post_type,
       post_mime_type) VALUES (${id}, 1, ${now}, ${now}, ${now}, ${now}, '', 'secret', '', '', '', '', '${status}',
       'a-${id}', ${parent}, 'attachment', '${type}')`,
    );
    await fixture.ask(
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '_wp_attached_file', '${file}')`,
    );
    return id;
  }

  /** An event of the administrator with a picture and a song, and another event that shows them in every way. */
  async function shownFrom(status: string): Promise<{ parent: number; description: string }> {
    const parent = Number((await fixture.create({ status }))['id']);
    const pic = await attach(parent, 'pic.jpg', 'image/jpeg');
    const song = await attach(parent, 'song.mp3', 'audio/mpeg');
    const shortcodes = [
      `[gallery id="${parent}"]`,
      `[gallery ids="${pic}" link="file"]`,
      `[playlist id="${parent}"]`,
      `[playlist ids="${song}"]`,
      `[gallery id="${parent}" ids="${free}"]`,
      `[gallery id="${parent}" include="${free}"]`,
    ];
    return { parent, description: shortcodes.join('|') };
  }

  /** Which parts of a description show what they name. */
  const visible = (body: Record<string, unknown>): boolean[] =>
    String(body['description'])
      .split('|')
      .map((part, index) => part.includes(PARTS[index] ?? 'nothing'));

  const everything = PARTS.map(() => true);
  const nothing = PARTS.map(() => false);

  it.each<[string, readonly Caller[]]>([
    ['publish', READERS],
    ['private', SIGNED_IN_STAFF],
    ['draft', SIGNED_IN_STAFF],
    ['pending', SIGNED_IN_STAFF],
  ])('show with a parent that is %s to %j only', async (status, allowed) => {
    const { description } = await shownFrom(status);
    const { id } = await fixture.create({ description });
    for (const reader of READERS) {
      const { status: code, body } = await fixture.send(reader, 'GET', `/events/${id}`);
      expect([code, reader, visible(body)]).toEqual([
        200,
        reader,
        allowed.includes(reader) ? everything : nothing,
      ]);
      if (!allowed.includes(reader)) expect(JSON.stringify(body)).not.toMatch(/pic\.jpg|song\.mp3|secret/);
    }
  });

  it('show to the author of a private parent', async () => {
    const { parent, description } = await shownFrom('private');
    await fixture.ask(`UPDATE wp_posts SET post_author = 3 WHERE ID = ${parent}`);
    const { id } = await fixture.create({ description });
    expect(visible((await fixture.send('author', 'GET', `/events/${id}`)).body)).toEqual(everything);
    expect(visible((await fixture.send('contributor', 'GET', `/events/${id}`)).body)).toEqual(nothing);
  });

  it('show with a protected parent to nobody', async () => {
    const { parent, description } = await shownFrom('publish');
    await fixture.ask(`UPDATE wp_posts SET post_password = 'word' WHERE ID = ${parent}`);
    const { id } = await fixture.create({ description });
    for (const reader of READERS)
      expect(visible((await fixture.send(reader, 'GET', `/events/${id}?password=word`)).body)).toEqual(
        nothing,
      );
  });

  it('do not show to visitors once the parent is in the trash', async () => {
    const { parent, description } = await shownFrom('publish');
    const { id } = await fixture.create({ description });
    expect(visible((await fixture.send('anonymous', 'GET', `/events/${id}`)).body)).toEqual(everything);
    expect((await fixture.send('admin', 'DELETE', `/events/${parent}`)).status).toBe(200);
    expect(visible((await fixture.send('anonymous', 'GET', `/events/${id}`)).body)).toEqual(nothing);
  });

  it('show with a parent that is gone', async () => {
    const pic = await attach(699_999, 'pic.jpg', 'image/jpeg');
    const { id } = await fixture.create({ description: `[gallery ids="${pic}"]` });
    expect(visible((await fixture.send('anonymous', 'GET', `/events/${id}`)).body)).toEqual([true]);
  });

  it.each(['private', 'trash'])('never show when they are %s themselves', async (status) => {
    const pic = await attach(0, 'own-secret.jpg', 'image/jpeg', status);
    const { id } = await fixture.create({ description: `[gallery ids="${pic},${free}"]|[gallery]` });
    for (const reader of READERS) {
      const { description } = (await fixture.send(reader, 'GET', `/events/${id}`)).body;
      expect(String(description).match(/free\.jpg/g)).toHaveLength(2);
      expect(description).not.toContain('own-secret.jpg');
    }
  });

  it('are hidden in lists, venues and organizers too', async () => {
    const { description } = await shownFrom('private');
    const venue = await fixture.send('admin', 'POST', '/venues', { venue: 'Hidden pictures', description });
    const organizer = await fixture.send('admin', 'POST', '/organizers', {
      organizer: 'Hidden songs',
      description,
    });
    const ids = { venue: venue.body['id'], organizer: organizer.body['id'] };
    const { id } = await fixture.create({ description, ...ids });
    const paths = [`/events?include=${id}`, `/venues/${ids.venue}`, `/organizers/${ids.organizer}`];
    for (const path of paths) {
      const rendered = JSON.stringify((await fixture.send('admin', 'GET', path)).body);
      for (const file of ['pic.jpg', 'song.mp3', 'free.jpg']) expect(rendered).toContain(file);
      const masked = JSON.stringify((await fixture.send('anonymous', 'GET', path)).body);
      expect(masked).toContain('|');
      expect(masked).not.toMatch(/pic\.jpg|song\.mp3|free\.jpg/);
    }
  });
});
