import { type Caller, userId } from './calendar-client.js';
import { differences } from './event-rows.js';
import type { DatabaseName } from './sites.js';
import { openGround, type WriteGround } from './write-ground.js';

type Fields = Record<string, unknown>;

/** What the shared tests of writing venues or organizers need to know of them. */
export interface LinkedPostResource {
  plural: 'venues' | 'organizers';
  word: 'venue' | 'organizer';
  /** Start of its meta keys. */
  prefix: '_Venue' | '_Organizer';
  /** Meta key of `website`. */
  websiteKey: string;
  linkKey: string;
  /** Every text field that is kept as meta. */
  texts: readonly string[];
}

/** Short ways to write one kind of record. */
export interface LinkedPostGround extends WriteGround {
  /** Creates a record that must be taken; answers what came back. */
  make(fields?: Fields, caller?: Caller): Promise<Fields & { id: number; slug: string }>;
  /** Changes one that must take it. */
  change(path: string | number, fields: Fields, caller?: Caller): Promise<Fields>;
}

/** Everybody who may ask, by rising rights. */
export const CALLERS: readonly Caller[] = [
  'anonymous',
  'subscriber',
  'contributor',
  'author',
  'editor',
  'admin',
];

let made = 0;
/** A name that nobody else has. */
export const unused = (word = 'Place'): string => `${word} number ${++made}`;

/** Declares the site that the tests of one block share. */
export function useLinkedPostSite(
  database: DatabaseName,
  { plural, word }: LinkedPostResource,
): () => LinkedPostGround {
  let ground: LinkedPostGround;
  beforeAll(async () => {
    const opened = await openGround(database);
    const done = async (status: number, ...request: Parameters<WriteGround['send']>) => {
      const reply = await opened.send(...request);
      if (reply.status !== status) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
      return reply.body;
    };
    ground = {
      ...opened,
      make: async (fields = {}, caller = 'admin') => {
        const body = await done(201, caller, 'POST', `/${plural}`, { [word]: unused(), ...fields });
        return { ...body, id: Number(body['id']), slug: String(body['slug']) };
      },
      change: (path, fields, caller = 'admin') => done(200, caller, 'PUT', `/${plural}/${path}`, fields),
    };
  });
  afterAll(() => ground?.close());
  return () => ground;
}

/** Declares the tests that venues and organizers share. */
export function declareLinkedPostWrites(database: DatabaseName, resource: LinkedPostResource): void {
  const { plural, word, prefix, websiteKey, linkKey, texts } = resource;
  const ground = useLinkedPostSite(database, resource);
  const lastSave = async () =>
    (await ground().ask("SELECT option_value FROM wp_options WHERE option_name = 'tribe_last_save_post'"))[0];

  describe('who may', () => {
    it.each<[Caller, string]>([
      ['anonymous', '401 rest_forbidden'],
      ['subscriber', '403 rest_forbidden'],
    ])('create: not %s', async (caller, said) => {
      expect(await ground().refusal(caller, 'POST', `/${plural}`, { [word]: unused() })).toBe(said);
    });

    it.each<[Caller, string]>([
      ['contributor', 'draft'],
      ['author', 'publish'],
      ['editor', 'publish'],
      ['admin', 'publish'],
    ])('create: %s, %s by default', async (caller, status) => {
      expect(await ground().make({}, caller)).toMatchObject({ author: String(userId(caller)), status });
    });

    describe.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s', (method) => {
      const body = method === 'DELETE' ? undefined : { phone: '1' };

      it.each(CALLERS.slice(0, 4))("W5: not %s with an admin's, by id or by slug", async (caller) => {
        const { id, slug } = await ground().make();
        const said = caller === 'anonymous' ? '401 rest_forbidden' : '403 rest_forbidden';
        expect(await ground().refusal(caller, method, `/${plural}/${id}`, body)).toBe(said);
        expect(await ground().refusal(caller, method, `/${plural}/by-slug/${slug}`, body)).toBe(said);
      });

      it.each<[Caller, string]>([
        ['contributor', 'draft'],
        ['author', 'publish'],
      ])('%s with a %s of their own', async (caller, status) => {
        const { id } = await ground().make({ status }, caller);
        expect((await ground().send(caller, method, `/${plural}/${id}`, body)).status).toBe(200);
      });

      it('not a contributor with a published one of their own', async () => {
        const { id } = await ground().make({ author: userId('contributor') });
        expect(await ground().refusal('contributor', method, `/${plural}/${id}`, body)).toBe(
          '403 rest_forbidden',
        );
      });

      it.each<Caller>(['editor', 'admin'])('%s with any, by id and by slug', async (caller) => {
        const [one, other] = [await ground().make({}, 'author'), await ground().make({}, 'author')];
        expect((await ground().send(caller, method, `/${plural}/${one.id}`, body)).status).toBe(200);
        expect((await ground().send(caller, method, `/${plural}/by-slug/${other.slug}`, body)).status).toBe(
          200,
        );
      });

      it.each(CALLERS)('%s is told that there is no such record', async (caller) => {
        const says = (path: string) => ground().refusal(caller, method, `/${plural}/${path}`, body);
        expect(await says('9999999')).toBe('400 rest_invalid_param id');
        expect(await says('53')).toBe('400 rest_invalid_param id');
        expect(await says('by-slug/no-such-thing')).toBe('400 rest_invalid_param slug');
        expect(await says('by-slug/opening-night')).toBe('400 rest_invalid_param slug');
      });
    });
  });

  describe('what is refused leaves no row', () => {
    it('a name is needed to create', async () => {
      const { refusal } = ground();
      expect(await refusal('admin', 'POST', `/${plural}`, {})).toBe(
        `400 rest_missing_callback_param ${word}`,
      );
      expect(await refusal('anonymous', 'POST', `/${plural}`, { [word]: null })).toBe(
        `400 rest_missing_callback_param ${word}`,
      );
    });

    const bad: [string, Fields, string][] = [
      ['W4: empty name', { [word]: '' }, word],
      ['W4: name 0', { [word]: '0' }, word],
      ['W15: name longer than its column', { [word]: 'x'.repeat(65_536) }, word],
      ['W18: name as a list', { [word]: ['a'] }, word],
      ['W18: name as a number', { [word]: 5 }, word],
      ['W18: description as an object', { description: { a: 1 } }, 'description'],
      ['W18: description as a number', { description: 1 }, 'description'],
      ...texts.map((field): [string, Fields, string] => [`W18: ${field} as a list`, { [field]: [] }, field]),
      ...['author', 'date', 'date_utc', 'description', 'status', 'image', ...texts].map(
        (field): [string, Fields, string] => [`${field} null`, { [field]: null }, field],
      ),
      ['website without a scheme', { website: 'example.org' }, 'website'],
      ['website of another kind', { website: 'javascript:alert(1)' }, 'website'],
      ['website outside ASCII', { website: 'https://exämple.org/' }, 'website'],
      ['unknown author', { author: 9999999 }, 'author'],
      ['author 0', { author: 0 }, 'author'],
      ['author as a word', { author: 'admin' }, 'author'],
      ['W18: author as a list', { author: [1] }, 'author'],
      ['date that is none', { date: 'nope' }, 'date'],
      ['empty date', { date: '' }, 'date'],
      ['date as a number', { date: 1_700_000_000 }, 'date'],
      ['date with a fraction', { date: '1.5' }, 'date'],
      ['date with an exponent', { date: '1e3' }, 'date'],
      ['date out of range', { date: '99999999999999' }, 'date'],
      ['UTC date that is none', { date_utc: 'nope' }, 'date_utc'],
      ...['', 'any', 'foo', 'trash', 'inherit', 'auto-draft', 'tribe-ignored', 'request-pending'].map(
        (status): [string, Fields, string] => [`W8: status ${status}`, { status }, 'status'],
      ),
      ['W18: status as a list', { status: ['publish'] }, 'status'],
      ['unknown image', { image: '9999999' }, 'image'],
      ['image that is an event', { image: '53' }, 'image'],
      ['image as a word', { image: 'x' }, 'image'],
      ['image as a number', { image: 5 }, 'image'],
      ['image from a server that keeps none', { image: 'https://example.org/a.jpg' }, 'image'],
    ];
    it.each(bad)('%s', async (_, fields, params) => {
      const { refusal, make } = ground();
      const { id } = await make();
      const said = `400 rest_invalid_param ${params}`;
      expect(await refusal('admin', 'POST', `/${plural}`, { [word]: unused(), ...fields })).toBe(said);
      expect(await refusal('admin', 'PATCH', `/${plural}/${id}`, fields)).toBe(said);
      // Parameters are looked at before rights.
      expect(await refusal('anonymous', 'POST', `/${plural}`, { [word]: unused(), ...fields })).toBe(said);
    });

    it('every bad parameter is named', async () => {
      const fields = { [word]: '', website: 'x', status: 'foo', author: 'me', date: 'nope' };
      const said = await ground().refusal('admin', 'POST', `/${plural}`, fields);
      expect(said.split(' ').slice(2).sort()).toEqual(['author', 'date', 'status', 'website', word].sort());
    });

    it('W15: a name of which nothing is left', async () => {
      const { refusal, make } = ground();
      const { id } = await make();
      for (const name of [' \t ', '\\'])
        expect(await refusal('admin', 'POST', `/${plural}`, { [word]: name })).toBe(
          `400 could-not-create-${word}`,
        );
      expect(await refusal('admin', 'PUT', `/${plural}/${id}`, { [word]: '  ' })).toBe(
        `400 could-not-update-${word}`,
      );
    });

    it('W15: a name that is too long as it would be stored', async () => {
      const said = await ground().refusal('author', 'POST', `/${plural}`, { [word]: '&'.repeat(60_000) });
      expect(said).toBe(`400 rest_invalid_param ${word}`);
    });

    it('a picture by URL from somebody who may not upload', async () => {
      const fields = { [word]: unused(), image: 'https://example.org/a.jpg' };
      expect(await ground().refusal('contributor', 'POST', `/${plural}`, fields)).toBe(
        '400 rest_invalid_param image',
      );
    });

    it('a body that is no JSON', async () => {
      const { app } = ground();
      const answer = await fetch(`${app.url}/cal/events/v1/${plural}/9`, {
        method: 'DELETE',
        headers: { 'Content-Type': 'application/json' },
        body: '{',
      });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: 'rest_invalid_json' });
    });
  });

  describe('W1: an update changes what was sent', () => {
    const moved = ['post.post_modified', 'post.post_modified_gmt'];
    const full = {
      description: 'About it',
      phone: '+1 2',
      website: 'https://example.org/a',
      image: '4',
      date: '2020-01-02 03:04:05',
    };

    it.each<[string, Fields, string[]]>([
      ['nothing', {}, []],
      ['the name', { [word]: 'Another name' }, ['post.post_title']],
      ['the description', { description: 'New' }, ['post.post_content']],
      ['the phone', { phone: '3' }, [`meta.${prefix}Phone`]],
      ['the website', { website: 'https://example.org/b' }, [`meta.${websiteKey}`]],
      ['the image', { image: '5' }, ['meta._thumbnail_id']],
      ['the author', { author: 2 }, ['post.post_author']],
    ])('%s', async (_, fields, changed) => {
      const { make, change, rows, ask } = ground();
      const { id } = await make(full);
      await ask(
        `UPDATE wp_posts SET post_modified = '2020-01-03 00:00:00', post_modified_gmt = '2020-01-03 00:00:00' WHERE ID = ${id}`,
      );
      const before = await rows(id);
      await change(id, fields);
      expect(differences(before, await rows(id))).toEqual([...changed, ...moved].sort());
    });

    it.each(['draft', 'pending', 'private', 'future'])('a %s one stays it', async (status) => {
      const { make, change } = ground();
      const dated = status === 'future' ? { date: '2091-06-01 10:00:00' } : {};
      const { id, date } = await make({ status, ...dated });
      expect(await change(id, { phone: '2' })).toMatchObject({ status, date });
    });

    it('a change of status alone follows the rule for dates', async () => {
      const { make, change } = ground();
      const { id } = await make({ status: 'draft' });
      const published = await change(id, { status: 'publish' });
      expect(published).toMatchObject({ status: 'publish' });
      expect(published['date_utc']).not.toBe('0000-00-00 00:00:00');
      expect(await change(id, { status: 'pending' })).toMatchObject({ date_utc: '0000-00-00 00:00:00' });
      expect(await change(id, { status: 'publish', date: '2092-01-01 00:00:00' })).toMatchObject({
        status: 'future',
      });
    });
  });

  describe('W4: an empty string clears', () => {
    it.each(texts)('%s', async (field) => {
      const { make, change } = ground();
      const { id } = await make({ [field]: field === 'website' ? 'https://example.org/' : 'Some text' });
      expect(await change(id, { [field]: '' })).not.toHaveProperty(field);
    });

    it('description and image', async () => {
      const { make, change, rows } = ground();
      const { id } = await make({ description: 'Text', image: '4' });
      const after = await change(id, { description: '', image: '' });
      expect(after).not.toHaveProperty('description');
      expect(after).not.toHaveProperty('image');
      expect(await rows(id)).not.toHaveProperty(['meta._thumbnail_id']);
    });

    it('slug: it is made from the name', async () => {
      const { make, change } = ground();
      const { slug } = await make({ [word]: `Made from the name of a ${word}` });
      await change(`by-slug/${slug}`, { slug: `chosen-${word}` });
      expect(await change(`by-slug/chosen-${word}`, { slug: '' })).toMatchObject({ slug });
    });
  });

  describe('W6: the path names the record', () => {
    it('not an id in body or query', async () => {
      const { make, send } = ground();
      const [one, other] = [await make(), await make()];
      const reply = await send('admin', 'PUT', `/${plural}/${one.id}?id=${other.id}`, {
        id: other.id,
        phone: '6',
      });
      expect(reply.body).toMatchObject({ id: one.id, phone: '6' });
      expect((await send('admin', 'GET', `/${plural}/${other.id}`)).body).not.toHaveProperty('phone');
      const gone = await send('admin', 'DELETE', `/${plural}/${one.id}?id=${other.id}`);
      expect(gone.body).toMatchObject({ id: one.id, status: 'trash' });
      expect((await send('admin', 'GET', `/${plural}/${other.id}`)).body).toMatchObject({
        status: 'publish',
      });
    });

    it('slug in the body of an update by slug is the new slug; made unique, and remembered (W22)', async () => {
      const { make, send, rows } = ground();
      const [one, other] = [await make(), await make()];
      const reply = await send('admin', 'PUT', `/${plural}/by-slug/${one.slug}`, { slug: other.slug });
      expect(reply.body).toMatchObject({ id: one.id, slug: `${other.slug}-2` });
      expect(await rows(one.id)).toMatchObject({ 'meta._wp_old_slug': [one.slug] });
    });

    it('other routes take no slug', async () => {
      const { make, change } = ground();
      const { id, slug } = await make({ slug: `wanted-${word}` });
      expect(slug).not.toContain('wanted');
      expect(await change(id, { slug: 'wanted' })).toMatchObject({ slug });
    });
  });

  describe('W7: another author', () => {
    it.each<Caller>(['contributor', 'author'])('not from %s', async (caller) => {
      const { refusal, make } = ground();
      const { id } = await make({ status: 'draft' }, caller);
      const fields = { [word]: unused(), author: 1 };
      const said = '403 rest_cannot_edit_others';
      expect(await refusal(caller, 'POST', `/${plural}`, fields)).toBe(said);
      expect(await refusal(caller, 'PATCH', `/${plural}/${id}`, { author: 1 })).toBe(said);
      const event = { title: 'E', start_date: '2091-05-01', end_date: '2091-05-01', [word]: [fields] };
      expect(await refusal(caller, 'POST', '/events', event)).toBe(said);
      await make({ author: userId(caller) }, caller);
    });

    it('from an editor', async () => {
      const { make, change } = ground();
      const { id, author } = await make({ author: 3 }, 'editor');
      expect(author).toBe('3');
      expect(await change(id, { author: '4' }, 'editor')).toMatchObject({ author: '4' });
    });
  });

  describe('W8: statuses', () => {
    it.each<[Caller, string, string]>([
      ['contributor', 'draft', 'draft'],
      ['contributor', 'publish', 'pending'],
      ['contributor', 'future', 'pending'],
      ['contributor', 'pending', 'pending'],
      ['contributor', 'private', 'pending'],
      ['author', 'draft', 'draft'],
      ['author', 'publish', 'publish'],
      ['author', 'future', 'publish'],
      ['author', 'pending', 'pending'],
      ['author', 'private', 'private'],
    ])('%s, %s: %s', async (caller, sent, stored) => {
      const { make, change } = ground();
      expect(await make({ status: sent }, caller)).toMatchObject({ status: stored });
      const { id } = await make({ status: 'draft' }, caller);
      expect(await change(id, { status: sent }, caller)).toMatchObject({ status: stored });
    });

    it('the right to publish records of this type decides, not that to publish events', async () => {
      const { ask, make } = ground();
      const own = "wp_usermeta WHERE user_id = 3 AND meta_key = 'wp_capabilities'";
      const [row] = await ask(`SELECT meta_value FROM ${own}`);
      const held = `a:2:{s:6:"author";b:1;s:${16 + plural.length - 2}:"publish_tribe_${plural}";b:0;}`;
      const update = (value: unknown) =>
        ask(
          `UPDATE wp_usermeta SET meta_value = '${value}' WHERE user_id = 3 AND meta_key = 'wp_capabilities'`,
        );
      await update(held);
      try {
        expect(await make({ status: 'publish' }, 'author')).toMatchObject({ status: 'pending' });
      } finally {
        await update(row?.['meta_value']);
      }
    });
  });

  describe('W9: a name that exists', () => {
    it('gives the record of that name, which takes the meta that was sent and nothing else', async () => {
      const { make, rows } = ground();
      const name = unused();
      const first = await make({ [word]: name, phone: '1', website: 'https://example.org/', image: '4' });
      const before = await rows(first.id);
      const again = await make({
        [word]: name.toUpperCase(),
        phone: '2',
        status: 'draft',
        date: '2020-01-01 00:00:00',
        author: 2,
      });
      expect(again).toMatchObject({ ...first, phone: '2' });
      expect(differences(before, await rows(first.id))).toEqual([`meta.${prefix}Phone`]);
    });

    it('is left alone by who may not edit it', async () => {
      const { make, rows } = ground();
      const name = unused();
      const first = await make({ [word]: name, phone: '1' });
      const [before, saved] = [await rows(first.id), await lastSave()];
      for (const caller of ['contributor', 'author'] as const)
        expect(await make({ [word]: name, phone: '9', image: '5' }, caller)).toEqual(first);
      expect(await rows(first.id)).toEqual(before);
      expect(await lastSave()).toEqual(saved);
    });

    it('counts only what the caller may read, and not what is in the trash', async () => {
      const { make, send } = ground();
      const name = unused();
      const hidden = await make({ [word]: name, status: 'private' });
      const own = await make({ [word]: name }, 'contributor');
      expect(own.id).not.toBe(hidden.id);
      expect((await make({ [word]: name }, 'editor')).id).toBe(hidden.id);
      expect((await make({ [word]: name }, 'contributor')).id).toBe(own.id);
      for (const { id } of [hidden, own]) await send('admin', 'DELETE', `/${plural}/${id}`);
      expect([hidden.id, own.id]).not.toContain((await make({ [word]: name })).id);
    });

    it('prefers a published one, then the oldest', async () => {
      const { make, ask } = ground();
      const name = unused();
      const all = [await make({ status: 'draft' }), await make(), await make()].map(({ id }) => id);
      await ask(`UPDATE wp_posts SET post_title = '${name}' WHERE ID IN (${all.join()})`);
      expect((await make({ [word]: name })).id).toBe(all[1]);
    });

    it('compares the description when one is sent', async () => {
      const { make } = ground();
      const name = unused();
      const first = await make({ [word]: name, description: 'One <b>text</b>' });
      expect((await make({ [word]: name })).id).toBe(first.id);
      expect((await make({ [word]: name, description: '' })).id).toBe(first.id);
      expect((await make({ [word]: name, description: 'One <b>text</b>' })).id).toBe(first.id);
      expect((await make({ [word]: name, description: 'Another text' })).id).not.toBe(first.id);
    });

    it('compares names as they are stored: cleaned or not', async () => {
      const { make } = ground();
      const name = `${unused()} & Co`;
      const plain = await make({ [word]: ` ${name} ` });
      const cleaned = await make({ [word]: name }, 'author');
      expect(cleaned.id).toBe(plain.id);
      const other = `${unused()} & Co`;
      const first = await make({ [word]: other }, 'author');
      expect((await make({ [word]: other }, 'author')).id).toBe(first.id);
    });

    it('is made once, however many ask at the same time', async () => {
      const name = unused();
      const all = await Promise.all(Array.from({ length: 6 }, () => ground().make({ [word]: name })));
      expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    });

    it('holds for data in an event', async () => {
      const { make, create, rows } = ground();
      const name = unused();
      const { id } = await make({ [word]: name, phone: '1' });
      const before = await rows(id);
      const data = { [word]: name, phone: '5' };
      const linked = async (caller: Caller) => {
        const event = await create({ [word]: [data] }, caller);
        return (await rows(event['id']))[`meta.${linkKey}`];
      };
      expect(await linked('author')).toEqual([String(id)]);
      expect(differences(before, await rows(id))).toEqual([]);
      expect(await linked('editor')).toEqual([String(id)]);
      expect(differences(before, await rows(id))).toEqual([`meta.${prefix}Phone`]);
    });
  });

  describe('the trash', () => {
    it('answers the record, then 410', async () => {
      const { make, send, refusal, rows } = ground();
      const { id, slug, date } = await make();
      const gone = await send('admin', 'DELETE', `/${plural}/by-slug/${slug}`);
      expect(gone.status).toBe(200);
      expect(gone.body).toMatchObject({ id, date, status: 'trash', slug: `${slug}__trashed` });
      expect(gone.body).not.toHaveProperty('json_ld');
      expect(await rows(id)).toMatchObject({
        'meta._wp_trash_meta_status': ['publish'],
        'meta._wp_desired_post_slug': [slug],
      });
      const path = `/${plural}/by-slug/${slug}__trashed`;
      expect(await refusal('admin', 'DELETE', `/${plural}/${id}`)).toBe(`410 ${word}-is-in-trash`);
      expect(await refusal('admin', 'DELETE', path)).toBe(`410 ${word}-is-in-trash`);
    });

    it('W1: an update leaves it there, a status brings it back with its slug', async () => {
      const { make, change, send } = ground();
      const { id, slug } = await make();
      await send('admin', 'DELETE', `/${plural}/${id}`);
      expect(await change(id, { phone: '1' })).toMatchObject({ status: 'trash' });
      expect(await change(id, { status: 'publish' })).toMatchObject({ status: 'publish', slug });
    });

    it('W14: takes only this record out of events, whenever and whatever they are', async () => {
      const { make, create, rows, send, ask } = ground();
      const [one, other] = [await make(), await make()];
      const events = [
        await create({ [word]: [one.id, other.id] }),
        await create({ [word]: one.id, start_date: '2000-01-01 10:00', end_date: '2000-01-01 11:00' }),
        await create({ [word]: [other.id, one.id], status: 'draft' }),
        await create({ [word]: other.id }),
        await create(),
      ].map((event) => Number(event['id']));
      const old = `a:2:{i:0;s:${String(one.id).length}:"${one.id}";i:1;i:${other.id};}`;
      await ask(
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${events[4]}, '${linkKey}', '${old}')`,
      );
      const saved = await lastSave();
      expect((await send('editor', 'DELETE', `/${plural}/${one.id}`)).status).toBe(200);
      const links = await Promise.all(events.map(async (id) => (await rows(id))[`meta.${linkKey}`]));
      const kept = [String(other.id)];
      expect(links).toEqual([kept, undefined, kept, kept, [`a:1:{i:0;i:${other.id};}`]]);
      expect(await lastSave()).not.toEqual(saved);
    });
  });

  it('W16: an error in the middle leaves nothing', async () => {
    const { refusal, ask, make } = ground();
    const { id } = await make({ phone: '1' });
    const raise =
      database === 'MariaDB'
        ? `FOR EACH ROW IF NEW.meta_key = '_tribe_modified_fields' THEN SIGNAL SQLSTATE '45000'; END IF`
        : `WHEN NEW.meta_key = '_tribe_modified_fields' BEGIN SELECT RAISE(ABORT, 'no'); END`;
    for (const when of ['INSERT', 'UPDATE'])
      await ask(`CREATE TRIGGER stop_${when} BEFORE ${when} ON wp_postmeta ${raise}`);
    ground().app.nest.useLogger(false);
    const before = await ground().rows(id);
    try {
      const said = '500 internal_server_error';
      expect(await refusal('admin', 'POST', `/${plural}`, { [word]: unused() })).toBe(said);
      expect(await refusal('admin', 'PUT', `/${plural}/${id}`, { phone: '2', status: 'draft' })).toBe(said);
      expect(await refusal('admin', 'DELETE', `/${plural}/${id}`)).toBe(said);
      expect(await ground().rows(id)).toEqual(before);
    } finally {
      for (const when of ['INSERT', 'UPDATE']) await ask(`DROP TRIGGER stop_${when}`);
    }
  });

  it('W17: an offset in a date is dropped, in a UTC date it is honoured', async () => {
    const { make } = ground();
    expect(await make({ date: '2024-05-06T07:08:09Z' })).toMatchObject({ date: '2024-05-06 07:08:09' });
    expect(await make({ date: '2024-05-06T07:08:09+02:00' })).toMatchObject({ date: '2024-05-06 07:08:09' });
    expect(await make({ date_utc: '2024-05-06T07:08:09+02:00' })).toMatchObject({
      date_utc: '2024-05-06 05:08:09',
      date: '2024-05-06 01:08:09',
    });
    // A timestamp is read as a wall clock of UTC, as recorded for events.
    expect(await make({ date: '1700000000' })).toMatchObject({ date: '2023-11-14 22:13:20' });
  });

  it('W21: one layer of backslashes is removed', async () => {
    const { make, rows } = ground();
    const name = unused('Back\\slash \\\\ it');
    const { id } = await make({ [word]: name, description: 'a\\b\\\\c', phone: '1\\2\\\\3' });
    expect(await rows(id)).toMatchObject({
      'post.post_title': name.replace('Back\\slash \\\\ it', 'Backslash \\ it'),
      'post.post_content': 'ab\\c',
      [`meta.${prefix}Phone`]: ['12\\3'],
    });
  });

  it('W22: rows that nothing reads are there as recorded', async () => {
    const { make, rows, ask } = ground();
    const { id, slug } = await make({
      author: 2,
      date: '2024-05-06T07:08:09Z',
      description: 'A <b>bold</b> text',
    });
    expect(await rows(id)).toMatchObject({
      [`meta.${prefix}Origin`]: ['events-calendar'],
      [`meta.${prefix}post_author`]: ['2'],
      [`meta.${prefix}post_date`]: ['2024-05-06 07:08:09'],
      [`meta.${prefix}post_date_gmt`]: [''],
      [`meta.${prefix}Description`]: ['A bold text'],
      'post.guid': `http://calendar.example.org/${word}/${slug}/`,
    });
    expect(await ask(`SELECT ID FROM wp_posts WHERE post_parent = ${id}`)).toEqual([]);
    const [noted] = await ask(
      `SELECT meta_value FROM wp_postmeta WHERE post_id = ${id} AND meta_key = '_tribe_modified_fields'`,
    );
    expect(noted?.['meta_value']).toContain(`"${prefix}Origin"`);
  });

  it('draft slugs come from the name; pending ones of who may not publish are empty till then', async () => {
    const { make, change } = ground();
    const draft = await make({ status: 'draft' });
    expect(draft.slug).toMatch(/^place-number-\d+$/);
    const pending = await make({ status: 'publish' }, 'contributor');
    expect(pending).toMatchObject({ status: 'pending', slug: 'undefined' });
    expect(String((await change(pending.id, { status: 'publish' }))['slug'])).toMatch(/^place-number-\d+$/);
    const signs = await make({ [word]: '!!!' });
    expect(signs.slug).toBe(String(signs.id));
  });

  it('every write says that something was saved', async () => {
    const { make, change, send } = ground();
    const saves = [await lastSave()];
    const { id } = await make();
    saves.push(await lastSave());
    await change(id, {});
    saves.push(await lastSave());
    await send('admin', 'DELETE', `/${plural}/${id}`);
    saves.push(await lastSave());
    expect(new Set(saves.map((row) => row?.['option_value'])).size).toBe(4);
  });

  it('a protected record stays hidden in answers to writes', async () => {
    const { make, change, ask } = ground();
    const { id } = await make({ description: 'Secret' });
    await ask(`UPDATE wp_posts SET post_password = 'open' WHERE ID = ${id}`);
    expect(await change(`${id}?password=open&context=edit`, { phone: '1' })).toMatchObject({
      [word]: [],
      description: '',
      phone: '',
    });
  });
}
