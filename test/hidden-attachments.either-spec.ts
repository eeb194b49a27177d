import type { Caller } from './support/calendar-client.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

// R15: galleries and playlists render only attachments that the caller may read.

const READERS: readonly Caller[] = ['anonymous', 'contributor', 'author', 'editor', 'admin'];
const SIGNED_IN_STAFF: readonly Caller[] = ['editor', 'admin'];

/** What each part of the description contains when its attachments are visible. */
const PARTS = ['pic.jpg', 'pic.jpg', 'song.mp3', 'song.mp3', 'free.jpg', 'free.jpg'];

describeEither('attachments of hidden records', (database) => {
  let fixture: WriteFixture;
  let unattached: number;
  let nextId = 600_000;

  beforeAll(async () => {
    fixture = await openWriteFixture(database);
    unattached = await attach(0, 'free.jpg', 'image/jpeg');
  });
  afterAll(() => fixture?.close());

  async function attach(parent: number, file: string, type: string, status = 'inherit'): Promise<number> {
    const id = ++nextId;
    const date = "'2091-01-01 10:00:00'";
    await fixture.ask(
      `INSERT INTO wp_posts (ID, post_author, post_date, post_date_gmt, post_modified, post_modified_gmt, post_content,
       post_title, post_excerpt, to_ping, pinged, post_content_filtered, post_status, post_name, post_parent, post_type,
       post_mime_type) VALUES (${id}, 1, ${date}, ${date}, ${date}, ${date}, '', 'secret', '', '', '', '', '${status}',
       'a-${id}', ${parent}, 'attachment', '${type}')`,
    );
    await fixture.ask(
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '_wp_attached_file', '${file}')`,
    );
    return id;
  }

  /** Creates an event with a picture and a song, and a description that renders them in every way. */
  async function createWithAttachments(status: string): Promise<{ parent: number; description: string }> {
    const parent = Number((await fixture.create({ status }))['id']);
    const picture = await attach(parent, 'pic.jpg', 'image/jpeg');
    const song = await attach(parent, 'song.mp3', 'audio/mpeg');
    const shortcodes = [
      `[gallery id="${parent}"]`,
      `[gallery ids="${picture}" link="file"]`,
      `[playlist id="${parent}"]`,
      `[playlist ids="${song}"]`,
      `[gallery id="${parent}" ids="${unattached}"]`,
      `[gallery id="${parent}" include="${unattached}"]`,
    ];
    return { parent, description: shortcodes.join('|') };
  }

  /** Which parts of a description are visible. */
  const visibleParts = (body: Record<string, unknown>): boolean[] =>
    String(body['description'])
      .split('|')
      .map((part, index) => part.includes(PARTS[index] ?? 'nothing'));

  const allVisible = PARTS.map(() => true);
  const noneVisible = PARTS.map(() => false);

  it.each<[string, readonly Caller[]]>([
    ['publish', READERS],
    ['private', SIGNED_IN_STAFF],
    ['draft', SIGNED_IN_STAFF],
    ['pending', SIGNED_IN_STAFF],
  ])('of a %s parent are visible to %j only', async (status, allowed) => {
    const { description } = await createWithAttachments(status);
    const { id } = await fixture.create({ description });
    for (const reader of READERS) {
      const { status: code, body } = await fixture.send(reader, 'GET', `/events/${id}`);
      expect([code, reader, visibleParts(body)]).toEqual([
        200,
        reader,
        allowed.includes(reader) ? allVisible : noneVisible,
      ]);
      if (!allowed.includes(reader)) expect(JSON.stringify(body)).not.toMatch(/pic\.jpg|song\.mp3|secret/);
    }
  });

  it('of a private parent are visible to its author', async () => {
    const { parent, description } = await createWithAttachments('private');
    await fixture.ask(`UPDATE wp_posts SET post_author = 3 WHERE ID = ${parent}`);
    const { id } = await fixture.create({ description });
    expect(visibleParts((await fixture.send('author', 'GET', `/events/${id}`)).body)).toEqual(allVisible);
    expect(visibleParts((await fixture.send('contributor', 'GET', `/events/${id}`)).body)).toEqual(
      noneVisible,
    );
  });

  it('of a password-protected parent are hidden from everyone', async () => {
    const { parent, description } = await createWithAttachments('publish');
    await fixture.ask(`UPDATE wp_posts SET post_password = 'word' WHERE ID = ${parent}`);
    const { id } = await fixture.create({ description });
    for (const reader of READERS)
      expect(visibleParts((await fixture.send(reader, 'GET', `/events/${id}?password=word`)).body)).toEqual(
        noneVisible,
      );
  });

  it('are hidden from visitors once the parent is trashed', async () => {
    const { parent, description } = await createWithAttachments('publish');
    const { id } = await fixture.create({ description });
    expect(visibleParts((await fixture.send('anonymous', 'GET', `/events/${id}`)).body)).toEqual(allVisible);
    expect((await fixture.send('admin', 'DELETE', `/events/${parent}`)).status).toBe(200);
    expect(visibleParts((await fixture.send('anonymous', 'GET', `/events/${id}`)).body)).toEqual(noneVisible);
  });

  it('of a parent that does not exist are visible', async () => {
    const picture = await attach(699_999, 'pic.jpg', 'image/jpeg');
    const { id } = await fixture.create({ description: `[gallery ids="${picture}"]` });
    expect(visibleParts((await fixture.send('anonymous', 'GET', `/events/${id}`)).body)).toEqual([true]);
  });

  it.each(['private', 'trash'])('that are %s themselves are hidden', async (status) => {
    const picture = await attach(0, 'own-secret.jpg', 'image/jpeg', status);
    const { id } = await fixture.create({
      description: `[gallery ids="${picture},${unattached}"]|[gallery]`,
    });
    for (const reader of READERS) {
      const { description } = (await fixture.send(reader, 'GET', `/events/${id}`)).body;
      expect(String(description).match(/free\.jpg/g)).toHaveLength(2);
      expect(description).not.toContain('own-secret.jpg');
    }
  });

  it('are hidden in lists, venues and organizers too', async () => {
    const { description } = await createWithAttachments('private');
    const venue = await fixture.send('admin', 'POST', '/venues', { venue: 'Hidden pictures', description });
    const organizer = await fixture.send('admin', 'POST', '/organizers', {
      organizer: 'Hidden songs',
      description,
    });
    const ids = { venue: venue.body['id'], organizer: organizer.body['id'] };
    const { id } = await fixture.create({ description, ...ids });
    const paths = [`/events?include=${id}`, `/venues/${ids.venue}`, `/organizers/${ids.organizer}`];
    for (const path of paths) {
      const visibleJson = JSON.stringify((await fixture.send('admin', 'GET', path)).body);
      for (const file of ['pic.jpg', 'song.mp3', 'free.jpg']) expect(visibleJson).toContain(file);
      const hiddenJson = JSON.stringify((await fixture.send('anonymous', 'GET', path)).body);
      expect(hiddenJson).toContain('|');
      expect(hiddenJson).not.toMatch(/pic\.jpg|song\.mp3|free\.jpg/);
    }
  });
});
