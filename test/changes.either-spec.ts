import { type Caller, userId } from './support/calendar-client.js';
import { type ChangesSite, openChangesSite } from './support/changes-site.js';
import { describeEither } from './support/sites.js';
import { EVENT } from './support/write-fixture.js';

interface Change {
  type: string;
  id: number;
  change: string;
  deleted?: true;
  slug: string | null;
  modified: string | null;
  changed_at: string | null;
  record?: Record<string, unknown>;
}

interface Page {
  changes: Change[];
  token: string;
  has_more: boolean;
}

describeEither('changes', (database) => {
  let site: ChangesSite;
  beforeAll(async () => {
    site = await openChangesSite(database);
  });
  afterAll(() => site?.close());

  async function read(caller: Caller, query = ''): Promise<Page> {
    const { status, body } = await site.send(caller, 'GET', `/changes?${query}`);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body as unknown as Page;
  }

  /** All pages from a token on, or all records. */
  async function readAll(caller: Caller, query = ''): Promise<{ changes: Change[]; token: string }> {
    const changes: Change[] = [];
    let page = await read(caller, query);
    for (;;) {
      changes.push(...page.changes);
      if (!page.has_more) return { changes, token: page.token };
      page = await read(caller, `${query.replace(/since=[^&]*&?/, '')}&since=${page.token}`);
    }
  }

  const now = async (caller: Caller): Promise<string> => (await read(caller, 'since=now')).token;
  const since = async (caller: Caller, token: string, query = ''): Promise<Change[]> =>
    (await readAll(caller, `since=${token}${query}`)).changes;
  /** What the changes say, without records and times. */
  const said = (changes: readonly Change[]) =>
    changes.map(({ type, id, change, deleted, slug, record }) =>
      [type, id, change, deleted ? 'deleted' : '', record ? '' : (slug ?? '')]
        .filter((part) => part !== '')
        .join(' '),
    );
  const create = async (fields: object = {}, path = '/events') => {
    const { status, body } = await site.send(
      'admin',
      'POST',
      path,
      path === '/events' ? { ...EVENT, ...fields } : fields,
    );
    expect([status, body['code']]).toEqual([201, undefined]);
    return Number(body['id']);
  };
  const rejection = async (caller: Caller, query: string) => {
    const { status, body } = await site.send(caller, 'GET', `/changes?${query}`);
    const { params = {} } = body['data'] as { params?: object };
    return [status, body['code'], ...Object.keys(params)].join(' ');
  };

  describe('the listing of everything', () => {
    it.each<Caller>(['anonymous', 'contributor', 'editor'])(
      'has each record as its own address shows it, in pages, for %s',
      async (caller) => {
        const { changes } = await readAll(caller, 'per_page=7');
        const keys = changes.map(({ type, id }) => `${type} ${id}`);
        expect(new Set(keys).size).toBe(keys.length);
        const differing: unknown[] = [];
        for (const { type, id, record, ...others } of changes) {
          const { status, body } = await site.send(caller, 'GET', `/${type}/${id}?recurrence=true`);
          // A locked event has no address of its own.
          if (status === 403 && body['code'] === 'event-password-protected') continue;
          try {
            expect(record).toEqual(body);
          } catch (error) {
            differing.push([type, id, others, String(error).slice(0, 600)]);
          }
        }
        expect(differing).toEqual([]);
      },
    );

    it.each<Caller>(['anonymous', 'author', 'admin'])(
      'has the records of all lists for %s',
      async (caller) => {
        const { changes } = await readAll(caller);
        const found = (path: string) => changes.flatMap(({ type, id }) => (type === path ? id : []));
        for (const path of ['events', 'venues', 'organizers']) {
          const status = caller === 'anonymous' ? '' : '&status=any';
          const dates = path === 'events' ? '&start_date=1900-01-01&end_date=2200-01-01' : '';
          const ids = new Set<number>();
          for (let page = 1; ; page++) {
            const { body } = await site.send(
              caller,
              'GET',
              `/${path}?per_page=50&page=${page}${dates}${status}`,
            );
            const items = (body[path] ?? []) as { id: number }[];
            if (items.length === 0) break;
            for (const { id } of items) ids.add(id);
          }
          expect([...ids].filter((id) => id < 1_000_000 && !found(path).includes(id))).toEqual([]);
        }
        for (const path of ['categories', 'tags']) {
          const { body } = await site.send(caller, 'GET', `/${path}?per_page=50&hide_empty=false`);
          const ids = (body[path] as { id: number }[]).map(({ id }) => id);
          expect(found(path)).toEqual(expect.arrayContaining(ids));
        }
      },
    );

    it('misses no change that happens while its pages are read', async () => {
      const first = await read('anonymous', 'types=venues&per_page=2');
      const [early] = first.changes;
      expect(first.has_more).toBe(true);
      await site.send('admin', 'PUT', `/venues/${early?.id}`, { venue: 'Renamed early' });
      const late = await create({ venue: 'A late hall' }, '/venues');
      const mirror = new Map(first.changes.map((one) => [one.id, one]));
      for (const one of await since('anonymous', first.token)) mirror.set(one.id, one);
      expect(mirror.get(early?.id ?? 0)?.record?.['venue']).toBe('Renamed early');
      expect(mirror.get(late)?.record?.['venue']).toBe('A late hall');
    });

    it('lists only the kinds that are asked for', async () => {
      const { changes } = await readAll('anonymous', 'types=tags,categories');
      expect(new Set(changes.map(({ type }) => type))).toEqual(new Set(['categories', 'tags']));
      expect(changes[0]).toMatchObject({ change: 'created', changed_at: null, modified: null });
    });
  });

  describe('the life of an event', () => {
    it('is told step by step', async () => {
      const [anyone, admin] = [await now('anonymous'), await now('admin')];
      const steps: unknown[] = [];
      let tokens = { anyone, admin };
      const step = async (work: () => Promise<unknown>) => {
        await work();
        const [open, own] = [
          await readAll('anonymous', `since=${tokens.anyone}`),
          await readAll('admin', `since=${tokens.admin}`),
        ];
        tokens = { anyone: open.token, admin: own.token };
        const events = (changes: Change[]) =>
          said(changes.filter(({ type }) => type === 'events')).map((text) =>
            text.replace(/^events \d+ /, ''),
          );
        steps.push([events(open.changes).join(), events(own.changes).join()]);
      };
      let id = 0;
      const send = (method: string, fields?: object) => site.send('admin', method, `/events/${id}`, fields);
      await step(async () => {
        id = await create({ title: 'A life', slug: 'a-life', status: 'draft' });
      });
      await step(() => send('PUT', { status: 'publish' }));
      await step(() => send('PUT', { title: 'A long life' }));
      await step(() => send('PUT', { start_date: '2091-05-02 10:00:00', end_date: '2091-05-02 11:00:00' }));
      await step(() => send('PUT', { status: 'private', slug: 'a-secret' }));
      await step(() => send('PUT', { status: 'publish', slug: 'a-life' }));
      await step(() => send('DELETE'));
      await step(() => send('PUT', { status: 'publish' }));
      await step(async () => {
        await send('PUT', { title: 'Twice' });
        await send('PUT', { title: 'Thrice' });
      });
      expect(steps).toEqual([
        ['', 'created'],
        ['created', 'updated'],
        ['updated', 'updated'],
        ['rescheduled', 'rescheduled'],
        ['deleted deleted', 'updated'],
        ['created', 'updated'],
        ['trashed deleted a-life', 'trashed deleted a-life'],
        ['restored', 'restored'],
        ['updated', 'updated'],
      ]);
    });

    it('never mentions a record that the caller could not see', async () => {
      const token = await now('anonymous');
      const id = await create({ title: 'Never seen', status: 'draft' });
      await site.send('admin', 'PUT', `/events/${id}`, { title: 'Never seen, changed' });
      await site.send('admin', 'DELETE', `/events/${id}`);
      expect(await since('anonymous', token)).toEqual([]);
    });

    it('tells of a deletion where the record was visible for a while only', async () => {
      const token = await now('anonymous');
      const id = await create({ title: 'Short', slug: 'short-lived' });
      await site.send('admin', 'DELETE', `/events/${id}`);
      expect(said(await since('anonymous', token))).toEqual([`events ${id} trashed deleted short-lived`]);
    });

    it('tells of a deletion however the pages fall between the changes of a record', async () => {
      const ids = [
        await create({ title: 'First' }),
        await create({ title: 'Second' }),
        await create({ title: 'Third' }),
      ];
      const token = await now('anonymous');
      const [first] = ids;
      await site.send('admin', 'PUT', `/events/${first}`, { status: 'draft' });
      for (const id of ids.slice(1)) await site.send('admin', 'PUT', `/events/${id}`, { title: 'Changed' });
      await site.send('admin', 'PUT', `/events/${first}`, { title: 'A changed draft' });
      const changes = await since('anonymous', token, '&per_page=1');
      expect(said(changes)).toEqual([
        `events ${ids[1]} updated`,
        `events ${ids[2]} updated`,
        `events ${first} deleted deleted`,
      ]);
      expect(JSON.stringify(changes)).not.toContain('A changed draft');
    });

    it('shows drafts to their authors only', async () => {
      const tokens = { author: await now('author'), contributor: await now('contributor') };
      const { body } = await site.send('author', 'POST', '/events', {
        ...EVENT,
        title: 'My draft',
        status: 'draft',
      });
      expect(said(await since('author', tokens.author))).toEqual([`events ${body['id']} created`]);
      expect(await since('contributor', tokens.contributor)).toEqual([]);
    });
  });

  describe('records', () => {
    it('of a locked event are masked as in lists', async () => {
      const token = await now('anonymous');
      const id = await create({ title: 'Locked away', description: 'A secret text' });
      await site.ask(`UPDATE wp_posts SET post_password = 'x' WHERE ID = ${id}`);
      await site.send('admin', 'PUT', `/events/${id}`, { title: 'Locked away' });
      const [change] = await since('anonymous', token);
      expect(change?.record).toMatchObject({ id, description: '' });
      expect(JSON.stringify(change)).not.toContain('A secret text');
    });

    it('of venues, organizers and terms are told too', async () => {
      const token = await now('anonymous');
      const venue = await create({ venue: 'Hall 5' }, '/venues');
      const organizer = await create({ organizer: 'Five' }, '/organizers');
      const category = await create({ name: 'Fives' }, '/categories');
      const tag = await create({ name: 'five' }, '/tags');
      await site.send('admin', 'DELETE', `/tags/${tag}`);
      await site.send('admin', 'DELETE', `/venues/${venue}`);
      expect(said(await since('anonymous', token)).toSorted()).toEqual([
        `categories ${category} created`,
        `organizers ${organizer} created`,
        `tags ${tag} deleted deleted five`,
        `venues ${venue} trashed deleted hall-5`,
      ]);
    });
  });

  it('answers the same poll with 304 while nothing changes, and the change as soon as it is made', async () => {
    const token = await now('anonymous');
    const url = `${site.app.url}/cal/events/v1/changes?since=${token}`;
    const first = await fetch(url);
    const etag = first.headers.get('ETag') ?? '';
    expect(etag).not.toBe('');
    expect((await fetch(url, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    const id = await create({ title: 'News' });
    const changed = await fetch(url, { headers: { 'If-None-Match': etag } });
    expect(changed.status).toBe(200);
    expect(said(((await changed.json()) as Page).changes)).toEqual([`events ${id} created`]);
  });

  describe('tokens', () => {
    it('are rejected with 400 naming since where they are none', async () => {
      const token = await now('anonymous');
      const bad = [
        'x',
        '',
        `${token}x`,
        token.slice(0, -1),
        token.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')),
        '%00',
        'a'.repeat(3000),
      ];
      for (const text of bad)
        expect(await rejection('anonymous', `since=${text}`)).toBe('400 rest_invalid_param since');
      expect(await rejection('anonymous', 'since[]=1')).toBe('400 rest_invalid_param since');
      expect(await rejection('anonymous', `since=${token}&types=events`)).toBe(
        '400 rest_invalid_param since',
      );
      expect(await rejection('anonymous', 'types=posts')).toBe('400 rest_invalid_param types');
      expect(await rejection('anonymous', 'per_page=0')).toBe('400 rest_invalid_param per_page');
    });

    it('of another user, of other rights, of another journal and of trimmed entries are 410', async () => {
      const tokens = {
        anonymous: await now('anonymous'),
        editor: await now('editor'),
        author: await now('author'),
      };
      expect(await rejection('admin', `since=${tokens.editor}`)).toBe('410 sync_token_expired');
      expect(await rejection('editor', `since=${tokens.anonymous}`)).toBe('410 sync_token_expired');
      expect(await rejection('anonymous', `since=${tokens.editor}`)).toBe('410 sync_token_expired');
      await site.ask(
        `UPDATE wp_usermeta SET meta_value = 'a:1:{s:11:"contributor";b:1;}' WHERE user_id = ${userId('author')} AND meta_key = 'wp_capabilities'`,
      );
      expect(await rejection('author', `since=${tokens.author}`)).toBe('410 sync_token_expired');
      await site.ask(
        `UPDATE wp_usermeta SET meta_value = 'a:1:{s:6:"author";b:1;}' WHERE user_id = ${userId('author')} AND meta_key = 'wp_capabilities'`,
      );
      expect(await since('author', tokens.author)).toEqual([]);
      await create({ title: 'One more' });
      await create({ title: 'And another' });
      await site.ask(
        'DELETE FROM wp_almanac_changes WHERE seq < (SELECT * FROM (SELECT MAX(seq) FROM wp_almanac_changes) m)',
      );
      expect(await rejection('anonymous', `since=${tokens.anonymous}`)).toBe('410 sync_token_expired');
      const token = await now('anonymous');
      await site.ask(
        "UPDATE wp_almanac_records SET checksum = 'another' WHERE record_id = 0 AND record_type = ''",
      );
      expect(await rejection('anonymous', `since=${token}`)).toBe('410 sync_token_expired');
    });
  });
});
