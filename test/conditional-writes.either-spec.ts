import { Hooks } from '../src/common/hooks/hooks.js';
import type { RequestContext } from '../src/http/request-context.js';
import { VenuesService } from '../src/resources/venues/venues.service.js';
import { type Caller, credentials, type Reply, request } from './support/calendar-client.js';
import { seriesOn, TUESDAY, WEEKLY } from './support/series-rows.js';
import { describeEither } from './support/sites.js';
import { EVENT, openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const UNKNOWN = '"aaaaaaaaaaaaaaaaaaaaaaaaaaa"';

describeEither('conditional writes', (database) => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await openWriteFixture(database, undefined, { RECURRENCE: 'on' });
  });
  afterAll(() => fixture?.close());

  const send = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: unknown,
    caller: Caller = 'admin',
  ) => request(fixture.app.url, method, path, { ...credentials(caller), ...headers }, body);
  const outcome = ({ status, body }: Reply) =>
    [status, body['code']].filter((one) => one !== undefined).join(' ');
  const rejection = async (...args: Parameters<typeof send>) =>
    outcome(await fixture.unchanged(() => send(...args)));
  const tagOf = async (path: string, caller: Caller = 'admin') => {
    const { status, headers } = await send('GET', path, {}, undefined, caller);
    expect(status).toBe(200);
    const tag = headers.get('ETag') ?? '';
    expect(tag).toMatch(/^"[\w-]{27}"$/);
    return tag;
  };
  const { date, make } = seriesOn(() => fixture, { ...TUESDAY, recurrence: WEEKLY });

  /** The paths of one new record per resource, and a change of it. */
  const records = async (): Promise<[path: string, change: Record<string, unknown>][]> => {
    const event = await fixture.create();
    const { rows } = await make();
    const createAt = async (path: string, fields: Record<string, unknown>) => {
      const { status, body } = await send('POST', path, {}, fields);
      expect(status).toBe(201);
      return `${path}/${body['id']}`;
    };
    return [
      [`/events/${event['id']}`, { title: 'Changed' }],
      [`/events/by-slug/${(await fixture.create())['slug']}`, { title: 'Changed' }],
      [date(rows[1]), { scope: 'all', title: 'Changed' }],
      [await createAt('/venues', { venue: 'Hall' }), { venue: 'Changed' }],
      [await createAt('/organizers', { organizer: 'Choir' }), { organizer: 'Changed' }],
      [await createAt('/categories', { name: 'Conditional category' }), { name: 'Changed category' }],
      [await createAt('/tags', { name: 'Conditional tag' }), { name: 'Changed tag' }],
    ];
  };

  it('the ETag of a read permits one update and one removal, with all that others wrote meanwhile refused', async () => {
    for (const [path, change] of await records()) {
      const tag = await tagOf(path);
      expect(await tagOf(path)).toBe(tag);
      const updated = await send('PUT', path, { 'If-Match': tag }, change);
      expect([path, outcome(updated)]).toEqual([path, '200']);
      for (const [method, body] of [
        ['PUT', change],
        ['PATCH', change],
        ['POST', change],
        ['DELETE', undefined],
      ] as const)
        expect([path, method, await rejection(method, path, { 'If-Match': tag }, body)]).toEqual([
          path,
          method,
          '412 rest_precondition_failed',
        ]);
      // The response to a write has the tag for the next one.
      const next = updated.headers.get('ETag') ?? '';
      expect([path, next]).toEqual([path, await tagOf(path)]);
      expect([path, outcome(await send('DELETE', path, { 'If-Match': next }))]).toEqual([path, '200']);
    }
  });

  it('the response to a create has the tag of the new record', async () => {
    const created = await send('POST', '/venues', {}, { venue: 'Tagged' });
    const tag = created.headers.get('ETag') ?? '';
    expect(tag).toBe(await tagOf(`/venues/${created.body['id']}`));
  });

  it('one of two clients with the same ETag wins', async () => {
    for (const [path, change] of await records()) {
      const headers = { 'If-Match': await tagOf(path) };
      const replies = await Promise.all([1, 2, 3, 4].map(() => send('PUT', path, headers, change)));
      expect([path, ...replies.map(outcome).toSorted()]).toEqual([
        path,
        '200',
        ...Array.from({ length: 3 }, () => '412 rest_precondition_failed'),
      ]);
    }
  });

  it('takes lists, any record, and tags that a proxy marked as compressed; no weak, foreign or malformed ones', async () => {
    const { id } = await fixture.create();
    const path = `/events/${id}`;
    const accepted = [
      (tag: string) => tag,
      (tag: string) => `${UNKNOWN}, ${tag}`,
      () => '*',
      (tag: string) => tag.replace(/"$/, '-gzip"'),
    ];
    for (const sent of accepted) {
      const value = sent(await tagOf(path));
      expect([value, outcome(await send('PUT', path, { 'If-Match': value }, { title: value }))]).toEqual([
        value,
        '200',
      ]);
    }
    const tag = await tagOf(path);
    for (const value of [`W/${tag}`, UNKNOWN, tag.slice(1, -1), '', `${tag}x`, '"*"'])
      expect([value, await rejection('PUT', path, { 'If-Match': value }, { title: 'Other' })]).toEqual([
        value,
        '412 rest_precondition_failed',
      ]);
  });

  it('an unchanged record keeps its ETag through an update; counts and edit locks are no change', async () => {
    const { id } = await fixture.create({ categories: [2] });
    const [event, category] = [await tagOf(`/events/${id}`), await tagOf('/categories/2')];
    await fixture.create({ categories: [2] });
    await fixture.ask(
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '_edit_lock', '1:1')`,
    );
    expect([await tagOf(`/events/${id}`), await tagOf('/categories/2')]).toEqual([event, category]);
    expect(await tagOf(`/events/${id}`, 'editor')).toBe(event);
    for (const query of ['?_fields=id', '?context=edit', '?_raw=1', '?_format=clean'])
      expect([query, await tagOf(`/events/${id}${query}`)]).toEqual([query, event]);
  });

  it('changes of meta, terms and dates in the database change the ETag within the same second', async () => {
    const { id } = await fixture.create();
    const tags = new Set([await tagOf(`/events/${id}`)]);
    for (const statement of [
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, 'a', 'b')`,
      `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id, term_order) VALUES (${id}, 20, 0)`,
      `UPDATE wp_tec_occurrences SET end_date = '2091-05-01 13:30:00' WHERE post_id = ${id}`,
      `UPDATE wp_posts SET post_content = 'b' WHERE ID = ${id}`,
    ]) {
      await fixture.ask(statement);
      tags.add(await tagOf(`/events/${id}`));
    }
    expect(tags.size).toBe(5);
    for (const table of ['postmeta', 'term_relationships'])
      await fixture.ask(
        table === 'postmeta'
          ? `DELETE FROM wp_postmeta WHERE post_id = ${id} AND meta_key = 'a'`
          : `DELETE FROM wp_term_relationships WHERE object_id = ${id} AND term_taxonomy_id = 20`,
      );
    await fixture.ask(`UPDATE wp_tec_occurrences SET end_date = '2091-05-01 12:30:00' WHERE post_id = ${id}`);
  });

  it('tells nothing to callers who may not write', async () => {
    const path = `/events/${(await fixture.create({ status: 'draft' }))['id']}`;
    expect(await rejection('PUT', path, { 'If-Match': UNKNOWN }, {}, 'anonymous')).toBe('401 rest_forbidden');
    expect(await rejection('PUT', path, { 'If-Match': UNKNOWN }, {}, 'subscriber')).toBe(
      '403 rest_forbidden',
    );
    for (const path of ['/events/53', '/venues/9', '/organizers/35', '/categories/2', '/tags/20'])
      for (const caller of ['subscriber', 'contributor'] as const)
        expect((await send('GET', path, {}, undefined, caller)).headers.get('ETag')).toBeNull();
    const published = `/events/${(await fixture.create())['id']}`;
    const { headers } = await send('GET', published, {}, undefined, 'anonymous');
    expect(headers.get('ETag')).not.toBe(await tagOf(published));
    const other = { 'If-Match': headers.get('ETag') ?? '' };
    expect(await rejection('PUT', published, other, {})).toBe('412 rest_precondition_failed');
  });

  it('conditions hold for the record of the request, also where a filter of it writes another one first', async () => {
    const hooks = fixture.app.nest.get(Hooks);
    const venues = fixture.app.nest.get(VenuesService);
    const { body: tag } = await send('POST', '/tags', {}, { name: 'Filtered' });
    let isOn = true;
    const filter = async (fields: object, { context }: { context: RequestContext }) => {
      if (isOn) await venues.create({ venue: 'Of a filter' } as never, context);
      return fields;
    };
    for (const type of ['tribe_events', 'post_tag'])
      hooks.addFilter<object, { context: RequestContext }>(`rest_pre_insert_${type}`, filter);
    const create = (path: string, fields: object) =>
      send('POST', path, { 'If-None-Match': '*' }, { ...fields, slug: 'filtered-once' }).then(outcome);
    try {
      for (const [path, fields] of [
        ['/events', { ...EVENT, title: 'Filtered' }],
        ['/tags', { name: 'Filtered once' }],
      ] as const) {
        expect([path, await create(path, fields)]).toEqual([path, '201']);
        expect([path, await create(path, fields)]).toEqual([path, '412 rest_precondition_failed']);
      }
      const path = `/tags/${tag['id']}`;
      const known = { 'If-Match': await tagOf(path) };
      expect(outcome(await send('PUT', path, known, { description: 'New' }))).toBe('200');
      expect(outcome(await send('PUT', path, known, { description: 'Newer' }))).toBe(
        '412 rest_precondition_failed',
      );
    } finally {
      isOn = false;
    }
  });

  it('If-None-Match: * refuses a taken slug, and needs one', async () => {
    const any = { 'If-None-Match': '*' };
    for (const [path, fields] of [
      ['/events', { title: 'Once', start_date: '2091-05-01', end_date: '2091-05-02' }],
      ['/categories', { name: 'Once' }],
      ['/tags', { name: 'Once tag' }],
    ] as const) {
      const named = { ...fields, slug: 'only-once' };
      expect([path, await rejection('POST', path, any, fields)]).toEqual([path, '400 rest_invalid_param']);
      const replies = await Promise.all([1, 2, 3].map(() => send('POST', path, any, named)));
      expect([path, ...replies.map(outcome).toSorted()]).toEqual([
        path,
        '201',
        '412 rest_precondition_failed',
        '412 rest_precondition_failed',
      ]);
      expect(await rejection('POST', path, any, named)).toBe('412 rest_precondition_failed');
    }
    // Addresses of venues follow from their names.
    expect(await rejection('POST', '/venues', any, { venue: 'Once' })).toBe('400 rest_invalid_param');
    expect(await rejection('PUT', '/events/by-slug/only-once', any, {})).toBe('412 rest_precondition_failed');
    const tag = { 'If-None-Match': await tagOf('/events/by-slug/only-once') };
    expect(await rejection('PUT', '/events/by-slug/only-once', tag, {})).toBe('412 rest_precondition_failed');
  });

  it('If-Match on a create is 412', async () => {
    expect(await rejection('POST', '/venues', { 'If-Match': '*' }, { venue: 'No' })).toBe(
      '412 rest_precondition_failed',
    );
  });

  it('If-Unmodified-Since refuses a later change, and is ignored beside If-Match and if it is no date', async () => {
    const event = await fixture.create();
    const path = `/events/${event['id']}`;
    const at = Date.parse(`${event['modified_utc']}Z`);
    const since = (ms: number) => ({ 'If-Unmodified-Since': new Date(at + ms).toUTCString() });
    expect(await rejection('PUT', path, since(-1000), {})).toBe('412 rest_precondition_failed');
    expect(await rejection('DELETE', path, since(-1000))).toBe('412 rest_precondition_failed');
    const both = { ...since(-1000), 'If-Match': await tagOf(path) };
    expect(outcome(await send('PUT', path, both, { title: 'An event' }))).toBe('200');
    expect(outcome(await send('PUT', path, { 'If-Unmodified-Since': 'now' }, {}))).toBe('200');
    expect(outcome(await send('DELETE', path, since(3_600_000)))).toBe('200');
  });
});
