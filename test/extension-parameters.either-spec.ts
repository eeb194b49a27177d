import type { Caller } from './support/calendar-client.js';
import { listReader, type Row } from './support/list-reader.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const EXTENSION_PARAMS = /orderby|modified_|geoloc_radius|cursor|_format/;
const ALL_DATES = 'start_date=2000-01-01&end_date=2099-12-31';

/** A well-formed cursor that the server never issued. */
const forgeCursor = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');

const FORGED_CURSOR_PATHS: readonly string[] = [
  `/events?cursor=${forgeCursor('title ASC', 'A', 1)}`,
  `/events?orderby=title&cursor=${forgeCursor('title DESC', 'A', 1)}`,
  `/events?orderby=title&cursor=${forgeCursor('title ASC', 5, 1)}`,
  `/events?cursor=${forgeCursor('start_date ASC', '2026-02-31 00:00:00', 1)}`,
  `/venues?cursor=${forgeCursor('date DESC', 'today', 1)}`,
  `/venues?orderby=id&cursor=${forgeCursor('id ASC', '5', 1)}`,
];

describeEither('extension parameters', (database) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database, async (ask) => {
      await ask(`DELETE FROM wp_postmeta WHERE meta_key IN ('_VenueLat', '_VenueLng')`);
    });
  });
  afterAll(async () => fixture?.close());

  const { get, rowsOf, idsOf } = listReader(() => fixture);
  const venue = async (name: string, place?: [number, number], status = 'publish') => {
    const { body } = await fixture.send('admin', 'POST', '/venues', { venue: name, status });
    const id = Number(body['id']);
    for (const [at, key] of ['_VenueLat', '_VenueLng'].entries())
      if (place)
        await fixture.ask(
          `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '${key}', '${place[at]}')`,
        );
    return id;
  };
  const restPath = (url: unknown) => String(url).split('/cal/events/v1')[1]?.replace('/?', '?') ?? '';

  it('narrow lists to authors, without a record that the caller may not see', async () => {
    const own = Number((await fixture.create({ title: 'Of an author' }, 'author'))['id']);
    const draft = Number((await fixture.create({ title: 'Hidden draft', status: 'draft' }, 'author'))['id']);
    const { body } = await fixture.send('admin', 'GET', `/events/${own}`);
    const author = String(body['author']);
    const found = await get(`/events?${ALL_DATES}&author=${author}&per_page=50`);
    const events = found.body['events'] as Row[];
    expect(events.map(({ id }) => id)).toContain(own);
    expect(events.map(({ id }) => id)).not.toContain(draft);
    expect(new Set(events.map((event) => event['author']))).toEqual(new Set([author]));
    expect(String(found.body['rest_url'])).toContain(`author=${author}`);
    const all = await get(`/events?${ALL_DATES}&per_page=50`);
    const both = await get(`/events?${ALL_DATES}&author=999999,${author}&per_page=50`);
    expect(both.body['total']).toBe(found.body['total']);
    expect(Number(all.body['total'])).toBeGreaterThan(Number(found.body['total']));
    expect((await get(`/venues?author=999999`)).body['total']).toBe(0);
    for (const wrong of ['', '0', 'admin', '1,', '-1', '1,,2', `${'1,'.repeat(100)}1`]) {
      const ignored = await get(`/events?${ALL_DATES}&author=${wrong}&per_page=50`);
      expect([wrong, ignored.headers.get('x-almanac-ignored')]).toEqual([wrong, 'author']);
      expect(ignored.body['total']).toBe(all.body['total']);
    }
  });

  it('are absent from the recorded documents and do not change responses that omit them', async () => {
    const recorded = ['', '/doc', '/events', '/venues'].map((path) =>
      fixture.send('anonymous', path.length > 4 ? 'OPTIONS' : 'GET', path),
    );
    for (const { body } of await Promise.all(recorded)) {
      const names = JSON.stringify(body).replace(/\\?\/(categories|tags)\b.*?(?="\\?\/)/g, '');
      expect(/modified_(after|before)|geoloc_radius|cursor|_format/.exec(names)).toBeNull();
    }
    const { headers, body } = await get(`/events?${ALL_DATES}&per_page=2`);
    expect(headers.get('link')).toBe('<http://calendar.example.org/wp-json/>; rel="https://api.w.org/"');
    expect(Object.keys(body).filter((name) => EXTENSION_PARAMS.test(name))).toEqual([]);
    const document = await fetch(`${fixture.app.url}/openapi.json`);
    const openapi = (await document.json()) as {
      paths: Record<string, { get: { parameters: { name?: string }[] } }>;
      components: { schemas: Record<string, object> };
    };
    const parameters = openapi.paths['/events']?.get.parameters ?? [];
    const extensionParams = parameters.flatMap(({ name }) =>
      name && EXTENSION_PARAMS.test(name) ? [name] : [],
    );
    expect(extensionParams.toSorted()).toEqual(
      ['_format', 'cursor', 'geoloc_radius', 'modified_after', 'modified_before', 'orderby'].toSorted(),
    );
    expect(Object.keys(openapi.components.schemas)).toEqual(
      expect.arrayContaining(['CleanEvent', 'CleanVenue']),
    );
  });

  it('a cursor of another sort order returns 400 and is named', async () => {
    for (const path of FORGED_CURSOR_PATHS)
      expect([path, await fixture.refusal('anonymous', 'GET', path)]).toEqual([
        path,
        '400 rest_invalid_param cursor',
      ]);
  });

  it('orderby sorts dates descending and other fields ascending by default', async () => {
    const titles = (await rowsOf(`/events?${ALL_DATES}&orderby=title&per_page=50`)).map(({ title }) =>
      String(title),
    );
    expect(titles).toEqual(titles.toSorted((a, b) => a.localeCompare(b, 'en', { sensitivity: 'base' })));
    const dates = (await rowsOf(`/organizers?orderby=modified`)).map(({ modified }) => String(modified));
    expect(dates).toEqual(dates.toSorted().toReversed());
    expect(await idsOf('/venues?order=asc&per_page=50')).toEqual(
      (await idsOf('/venues?per_page=50')).toReversed(),
    );
    expect(await idsOf(`/events?${ALL_DATES}&orderby=start_date`)).toEqual(
      await idsOf(`/events?${ALL_DATES}`),
    );
    expect(await idsOf(`/events?include=53,60,70&order=desc`)).toEqual(
      (await idsOf(`/events?include=53,60,70`)).toReversed(),
    );
  });

  it('paging links repeat every filter except password', async () => {
    const requested = `${ALL_DATES}&strict_dates=true&categories=music,arts&orderby=title&per_page=7&password=hush`;
    let { headers, body } = await get(`/events?${requested}`);
    const total = Number(body['total']);
    const listedIds: number[] = [];
    for (;;) {
      listedIds.push(...(body['events'] as Row[]).map(({ id }) => id));
      const next = body['next_rest_url'];
      expect(String(body['rest_url'])).not.toContain('hush');
      expect(headers.get('link')?.includes(`<${next}>; rel="next"`)).toBe(next !== undefined);
      expect(headers.get('link')?.includes('rel="prev"')).toBe(listedIds.length > 7);
      if (next === undefined) break;
      ({ headers, body } = await get(restPath(next)));
    }
    expect([listedIds.length, total]).toEqual([total, (await get(`/events?${requested}`)).body['total']]);
    expect(listedIds.slice(0, 50)).toEqual(
      await idsOf(`/events?${requested.replace('per_page=7', 'per_page=50')}`),
    );
  });

  it('paging links work for editors, who list every status', async () => {
    for (const plural of ['events', 'venues', 'organizers'])
      for (const added of ['cursor=*', '_format=clean']) {
        const first = await fixture.send('editor', 'GET', `/${plural}?per_page=1&${added}`);
        const next = await fixture.send('editor', 'GET', restPath(first.body['next_rest_url']));
        expect([plural, added, next.status]).toEqual([plural, added, 200]);
        expect(next.body['total']).toBe(first.body['total']);
      }
  });

  it('paging links encode special characters of the search term', async () => {
    const search = 'R&B + soul #100%25';
    const created: unknown[] = [];
    for (const nth of [1, 2]) {
      const dates = { start_date: `2091-07-0${nth} 10:00:00`, end_date: `2091-07-0${nth} 11:00:00` };
      created.push((await fixture.send('admin', 'POST', '/events', { title: search, ...dates })).body['id']);
    }
    for (const added of ['_format=clean', 'orderby=title', 'cursor=*']) {
      const requested = new URLSearchParams({ search, start_date: '2091-01-01', per_page: '1' });
      const { body } = await get(`/events?${requested}&${added}`);
      const { body: second } = await get(restPath(body['next_rest_url']));
      const rows = [body, second].flatMap(({ events }) => events as Row[]);
      expect([added, rows.map(({ id }) => id)]).toEqual([added, created]);
      expect(new URL(String(second['rest_url'])).searchParams.get('search')).toBe(search);
    }
    for (const id of created) await fixture.send('admin', 'DELETE', `/events/${id}`);
  });

  it('cursor paging neither skips nor repeats records when others are added or removed', async () => {
    const before = await idsOf('/organizers?orderby=title&per_page=50');
    const first = await get('/organizers?orderby=title&per_page=3&cursor=*&status=publish');
    const rendered = (first.body['organizers'] as Row[]).map(({ id }) => id);
    const drafted = rendered[2];
    await fixture.ask(`UPDATE wp_posts SET post_status = 'draft' WHERE ID IN (${drafted}, ${before[4]})`);
    const created = await fixture.send('admin', 'POST', '/organizers', {
      organizer: '!! first of all',
      status: 'publish',
    });
    const restIds: number[] = [];
    for (let url = first.body['next_rest_url']; url !== undefined; ) {
      const { body } = await get(restPath(url));
      restIds.push(...(body['organizers'] as Row[]).map(({ id }) => id));
      url = body['next_rest_url'];
      expect([body['next_cursor'] === null, body['previous_rest_url']]).toEqual([
        url === undefined,
        undefined,
      ]);
    }
    expect(restIds).toEqual(before.slice(3).filter((id) => id !== before[4]));
    await fixture.ask(`UPDATE wp_posts SET post_status = 'publish' WHERE ID IN (${drafted}, ${before[4]})`);
    await fixture.send('admin', 'DELETE', `/organizers/${created.body['id']}`);
  });

  it('modified_after includes records changed in the same second; modified_before excludes them', async () => {
    const { id } = await fixture.create();
    await fixture.ask(
      `UPDATE wp_posts SET post_modified = '2091-07-01 06:00:00', post_modified_gmt = '2091-07-01 10:00:00' WHERE ID = ${id}`,
    );
    const isFound = async (query: string, caller?: Caller) =>
      (await idsOf(`/events?${ALL_DATES}&${query}`, caller)).includes(Number(id));
    // The site's time zone is America/New_York.
    const included = [
      '2091-07-01T10:00:00Z',
      '2091-07-01T10:00:00.9Z',
      '2091-07-01T12:00:00%2B02:00',
      '2091-07-01T12:00:00+0200',
      '2091-07-01 06:00:00',
      '2091-07-01T06:00',
      '2091-07-01',
    ];
    const excluded = [
      '2091-07-01T10:00:01Z',
      '2091-07-01T10:00:00-00:01',
      '2091-07-01 06:00:01',
      '2091-07-02',
      '9999-12-31T23:00:00-14:00',
      '9999-12-31T23:00:00',
    ];
    for (const time of included)
      expect([time, await isFound(`modified_after=${time}`)]).toEqual([time, true]);
    for (const time of excluded) {
      expect([time, await isFound(`modified_after=${time}`)]).toEqual([time, false]);
      expect([time, await isFound(`modified_after=2091-06-01&modified_before=${time}`)]).toEqual([
        time,
        true,
      ]);
    }
    expect(await isFound('modified_before=2091-07-01T10:00:00Z')).toBe(false);
    await fixture.ask(
      `UPDATE wp_posts SET post_status = 'draft', post_modified_gmt = '0000-00-00 00:00:00' WHERE ID = ${id}`,
    );
    expect(await isFound('modified_after=2091-07-01T10:00:00Z', 'admin')).toBe(true);
    expect(await isFound('modified_after=2091-07-01T10:00:01Z', 'admin')).toBe(false);
    expect(await isFound('modified_after=2091-07-01T10:00:00Z')).toBe(false);
  });

  it('orderby=distance rejects a radius with more than 1000 venues with 400', async () => {
    const ids = Array.from({ length: 1001 }, (_, at) => 800_000 + at);
    const rows = (row: (id: number) => string) => ids.map(row).join(', ');
    await fixture.ask(
      `INSERT INTO wp_posts (ID, post_type, post_status, post_author, post_title, post_content, post_excerpt, to_ping, pinged, post_content_filtered)
       VALUES ${rows((id) => `(${id}, 'tribe_venue', 'publish', 1, 'Far', '', '', '', '', '')`)}`,
    );
    for (const key of ['_VenueLat', '_VenueLng'])
      await fixture.ask(
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES ${rows((id) => `(${id}, '${key}', '-77.${id}')`)}`,
      );
    const near = 'geoloc_lat=-77.8&geoloc_lng=-77.8&geoloc_radius=50';
    for (const path of [`/venues?${near}`, `/events?${near}&${ALL_DATES}`]) {
      const rejected = await fixture.send('anonymous', 'GET', `${path}&orderby=distance`);
      expect([rejected.status, (rejected.body['data'] as Row)['params']]).toEqual([
        400,
        { geoloc_radius: 'geoloc_radius reaches 1001 venues; by distance at most 1000 are sorted.' },
      ]);
      expect((await fixture.send('anonymous', 'GET', path)).status).toBe(200);
    }
    await fixture.ask('DELETE FROM wp_postmeta WHERE post_id = 800000');
    for (const path of [`/venues?${near}`, `/events?${near}&${ALL_DATES}`])
      expect((await fixture.send('anonymous', 'GET', `${path}&orderby=distance&cursor=*`)).status).toBe(200);
    await fixture.ask('DELETE FROM wp_posts WHERE ID >= 800000');
    await fixture.ask('DELETE FROM wp_postmeta WHERE post_id >= 800000');
  });

  it('geoloc_radius finds venues and events near a point and returns their distance', async () => {
    const places = [
      await venue('Hall of Fiji', [-17, 179.9]),
      await venue('Beyond the date line', [-17, -179.9]),
    ];
    const [hidden, locked, invalid] = [
      await venue('Draft hall', [-17, 180], 'draft'),
      await venue('Locked hall', [-17, 180]),
      await venue('Nowhere', [-17, 1800]),
    ];
    await fixture.ask(`UPDATE wp_posts SET post_password = 'hush' WHERE ID = ${locked}`);
    const all = [...places, hidden, locked, invalid];
    const events: unknown[] = [];
    for (const id of all) events.push((await fixture.create({ venue: id }))['id']);
    const near = 'geoloc_lat=-17&geoloc_lng=179.95&geoloc_radius=30';
    const distances = async (path: string, caller?: Caller) =>
      (await rowsOf(path, caller)).map(({ id, distance }) => [id, distance]);
    expect(await distances(`/venues?${near}&orderby=distance`)).toEqual([
      [places[0], 5.317],
      [places[1], 15.95],
    ]);
    expect(await distances(`/events?${near}&orderby=distance&order=desc`)).toEqual([
      [events[1], 15.95],
      [events[0], 5.317],
    ]);
    expect(await idsOf(`/events?${near}`)).toEqual([events[0], events[1]]);
    expect(await idsOf(`/events?${near}&venue=${places[1]}`)).toEqual([events[1]]);
    expect(await idsOf('/events?geoloc=true')).toEqual([events[0], events[1]]);
    expect((await idsOf('/venues?geoloc=1')).toSorted()).toEqual(places.toSorted());
    expect(await idsOf('/events?geoloc_lat=60&geoloc_lng=0&geoloc_radius=1')).toEqual([]);
    // Callers who may read or unlock a venue find it; events of a draft venue are found by callers who may read it.
    expect(await distances(`/venues?${near}&password=hush&orderby=distance`)).toEqual([
      [places[0], 5.317],
      [locked, 5.317],
      [places[1], 15.95],
    ]);
    expect(await idsOf(`/events?${near}`, 'admin')).toEqual(events.slice(0, 3));
    expect(await idsOf(`/events?${near}&context=edit`, 'admin')).toEqual(events.slice(0, 4));
    expect((await get(`/events?${near}`)).body['total']).toBe(2);
    // A password-protected event hides its venue and therefore its distance.
    await fixture.ask(`UPDATE wp_posts SET post_password = 'hush' WHERE ID = ${events[0]}`);
    expect(await distances(`/events?${near}`)).toEqual([
      [events[0], null],
      [events[1], 15.95],
    ]);
    for (const id of events) await fixture.send('admin', 'DELETE', `/events/${id}`);
  });
});
