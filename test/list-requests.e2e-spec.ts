import { stopWords } from '../src/wordpress/posts/data/stop-words.js';
import { SearchFilter } from '../src/wordpress/search-index/search-filter.js';
import { startApp, type TestApp } from './support/app.js';
import { type Caller, clientOf, type Reply } from './support/calendar-client.js';
import { describeDatabases, makeSite, type Site } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const WINDOW = 'start_date=2000-01-01&end_date=2099-12-31';
const LISTS = ['events', 'venues', 'organizers', 'categories', 'tags'] as const;

describeDatabases('list requests', (database) => {
  let site: Site;
  let app: TestApp;
  let get: (path: string, caller?: Caller) => Promise<Reply>;
  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url });
    const send = clientOf(app.url);
    get = (path, caller = 'anonymous') => send(caller, 'GET', path);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const total = async (path: string, caller?: Caller) => (await get(path, caller)).body['total'];
  const link = async (path: string, caller?: Caller) =>
    String((await get(path, caller)).body['rest_url']).replace(/^.*\?/, '');
  const errorOf = async (path: string, caller?: Caller) => {
    const { status, body } = await get(path, caller);
    return [status, body['code'], ...Object.keys((body['data'] as { params?: object })?.params ?? {})];
  };

  it.each([
    ['concert', 6],
    ['concert,', 6],
    [',+concert+,', 6],
    ['%2Bconcert', 6],
    ["'concert'", 6],
    ['"concert",', 6],
    ['"concert', 6],
    ['concert%5C', 6],
    ['concert+-', 6],
    ['concert+the+a', 6],
    ['concert,-party', 6],
    ['concert,party', 0],
    ['concert%2Bparty', 0],
    ['%60concert%60', 0],
    ['concert.', 0],
    // All events but the six and the password-protected ones.
    ['-concert', 97],
    // Without a word the whole text is searched, and a dash still excludes: every event contains a blank.
    ['-+', 0],
    [',', 17],
    // A text that is empty without its backslash is no search, so password-protected events are included.
    ['%5C', 109],
  ])('search=%s finds %d events', async (search, found) => {
    expect(await total(`/events?${WINDOW}&search=${search}`)).toBe(found);
  });

  it('repeat a search that begins with & in links as it was sent', async () => {
    for (const [sent, linked] of [
      ['%26', '%26'],
      ['%26amp%3Bx', '%26amp%3Bx'],
      ['%26+b', '%26+b'],
      ['R%26B', 'R&B'],
    ]) {
      const listed = `/events?${WINDOW}&per_page=1&search=${sent}`;
      expect(await link(listed)).toContain(`&search=${linked}&status=publish`);
      if (linked?.startsWith('%'))
        expect(await link(`${listed}&venue=9`)).toContain(`&search=${linked}&status=publish`);
    }
    const { body } = await get(`/events?${WINDOW}&per_page=1&search=%26`);
    expect(String(body['next_rest_url'])).toContain('&search=%26&');
  });

  it('search ten and more words as one text and reject a search past the limit with 400', async () => {
    expect(await total(`/events?${WINDOW}&search=${'concert+'.repeat(9)}`)).toBe(6);
    expect(await total(`/events?${WINDOW}&search=${'concert+'.repeat(10)}`)).toBe(0);
    const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join('+');
    for (const list of LISTS) {
      expect(await total(`/${list}?search=${words(100)}`)).toBe(0);
      expect(await errorOf(`/${list}?search=${words(2000)}`)).toEqual([400, 'rest_invalid_param', 'search']);
      expect(await errorOf(`/${list}?search=${'a'.repeat(1601)}`)).toEqual([
        400,
        'rest_invalid_param',
        'search',
      ]);
    }
    for (const list of ['venues', 'organizers'])
      expect(await errorOf(`/${list}?search=${words(101)}`)).toEqual([400, 'rest_invalid_param', 'search']);
  });

  it('limit the number of comparisons of a search', async () => {
    const comparisons = async (path: string) => {
      app.statements();
      await get(path);
      return app.statements().sql.join('').split(' LIKE ').length - 1;
    };
    // Each word is compared with three columns, in one statement for rows and total.
    expect(await comparisons(`/events?search=${'a1+b2+c3+'.repeat(3)}`)).toBe(9 * 3);
    expect(await comparisons(`/events?search=${'word+'.repeat(300)}`)).toBe(3);
    expect(await comparisons(`/venues?search=${'word+'.repeat(300)}`)).toBe(4);
    const filter = app.nest.get(SearchFilter, { strict: false });
    await filter.settled();
    expect(await filter.find('concert')).toBeUndefined();
  });

  it.each([
    ['20.06', '2091-03-01 00:00:00', '2091-03-01 23:59:59'],
    ['1.5', '2091-03-01 00:00:00', '2091-03-01 23:59:59'],
    ['1969.128', '1969-05-08 00:00:00', '1969-05-08 23:59:59'],
    ['%2B10000-01-01', '2000-01-01 10:00:00', '2000-01-02 09:59:59'],
    ['1e9', undefined, undefined],
    ['2026.11', undefined, undefined],
  ])('expand the date %s to the range from %s to %s', async (date, from, to) => {
    const linked = async (query: string, name: string) =>
      new URLSearchParams(await link(`/events?${query}`)).get(name) ?? undefined;
    expect(await linked(`start_date=${date}`, 'start_date')).toBe(from);
    expect(await linked(`ends_before=${date}`, 'ends_before')).toBe(to);
  });

  it('treat an ends_before that is no time as now', async () => {
    const before = await total('/events?start_date=2000-01-01&ends_before=2091-03-01');
    expect(await total('/events?start_date=2000-01-01&ends_before=1e9')).toBe(before);
  });

  it('ignore blanks around commas and empty items in status, and reject blanks at its ends', async () => {
    const bad = [400, 'rest_invalid_param', 'status'];
    for (const list of ['events', 'venues', 'organizers'])
      for (const status of ['+publish', 'publish+', 'publish,draft+', 'pub+lish', 'PUBLISH', '1'])
        expect([status, ...(await errorOf(`/${list}?status=${status}`, 'admin'))]).toEqual([status, ...bad]);
    for (const status of ['+publish', 'publish,+publish', '0', '', 'publish,publish'])
      expect(await errorOf(`/venues?status=${status}`)).toEqual(bad);
    for (const status of ['publish,', ',publish', 'publish,0', 'publish', 'publish+,+'])
      expect(await total(`/venues?status=${status}`, 'admin')).toBe(18);
    for (const status of ['0', '', ',', '0,0']) {
      expect(await total(`/venues?status=${status}`, 'admin')).toBe(22);
      expect(await link(`/venues?per_page=4&status=${status}`, 'admin')).toBe('page=1&per_page=4&');
    }
  });

  it('accept every integer above 0 in lists of ids and repeat it in links as sent', async () => {
    for (const venue of ['9,', ' 9, 10', '+9', '09', '9,9', '9'])
      expect(await link(`/events?${WINDOW}&venue=${encodeURIComponent(venue)}`)).toMatch(
        new RegExp(`&venue=${venue.replace('+', '\\+')}$`),
      );
    expect(await link(`/events?${WINDOW}&organizer[]=35&organizer[]=36`)).toMatch(/&organizer=35,36$/);
    for (const include of ['53', '%2B53', '053', '53.0', '5.3e1', '+53,,+55', '53%252C55'])
      expect([include, await total(`/events?include=${include}`)]).toEqual([
        include,
        include.includes('55') ? 2 : 1,
      ]);
    for (const include of ['-53', '53+54', '5.5', '0', ',', '', 'x'])
      expect([include, ...(await errorOf(`/events?include=${include}`))]).toEqual([
        include,
        400,
        'rest_invalid_param',
        'include',
      ]);
  });

  it('split a string of terms at commas, but not the items of an array', async () => {
    const tags = (query: string) => total(`/events?${WINDOW}&${query}`);
    expect(await tags('tags=20,21')).toBe(13);
    expect(await tags('tags[]=20&tags[]=21')).toBe(13);
    expect(await tags('tags=20%252C21')).toBe(4);
    expect(await tags('tags[0]=20&tags[5]=21')).toBe(4);
    for (const query of ['tags[]=20,21', 'tags[]=', 'tags=,', 'tags=20abc', 'tags[a][b]=20'])
      expect(await errorOf(`/events?${query}`)).toEqual([400, 'rest_invalid_param', 'tags']);
  });

  it('get totals as numbers in envelopes and as strings in headers', async () => {
    for (const list of LISTS) {
      const { body, headers } = await get(`/${list}?per_page=3`);
      const totals = { 'X-TEC-Total': body['total'], 'X-TEC-TotalPages': body['total_pages'] };
      const enveloped = await get(`/${list}?per_page=3&_envelope`);
      expect(enveloped.body['headers']).toMatchObject(totals);
      expect(headers.get('x-tec-total')).toBe(String(body['total']));
    }
  });

  it('get the same response for every page past the end, whatever its number', async () => {
    for (const page of ['1000', '9223372036854775807', '99999999999999999999999', '1e22']) {
      for (const list of ['categories', 'tags'] as const) {
        const { status, body } = await get(`/${list}?page=${page}`);
        expect([status, body[list]]).toEqual([200, []]);
        expect(body['previous_rest_url']).toMatch(/\?page=\d+$/);
      }
      for (const singular of ['event', 'venue', 'organizer'])
        expect(await get(`/${singular}s?page=${page}`)).toMatchObject({
          status: 404,
          body: { code: `${singular}-archive-page-not-found` },
        });
    }
    expect((await get('/tags?offset=99999999999999999999999')).body['tags']).toEqual([]);
    for (const offset of ['offset[x]=1', 'offset[]=1'])
      expect(await errorOf(`/tags?${offset}`)).toEqual([400, 'rest_invalid_param', 'offset']);
  });
});

describeDatabases('searches of a German site', (database) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database, async (ask) => {
      await ask("DELETE FROM wp_options WHERE option_name = 'WPLANG'");
      await ask(
        "INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('WPLANG', 'de_DE', 'yes')",
      );
    });
    for (const title of [
      'Vortrag über, was kommt',
      'Vortrag mit Musik',
      'Lange Nachtmuseen',
      'Salt & Pepper',
    ])
      await fixture.create({ title, start_date: '2091-06-01 10:00:00', end_date: '2091-06-01 11:00:00' });
  });
  afterAll(async () => fixture?.close());

  const titles = async (search: string) => {
    const { body } = await fixture.send(
      'anonymous',
      'GET',
      `/events?start_date=2091-06-01&end_date=2091-06-01&search=${search}`,
    );
    return (body['events'] as { title: string }[]).map(({ title }) => title).toSorted();
  };

  it.each([
    // A stop word alone leaves no word, so the whole text is searched.
    ['%C3%BCber,', ['Vortrag über, was kommt']],
    ['Vortrag+%C3%BCber', ['Vortrag mit Musik', 'Vortrag über, was kommt']],
    ['Vortrag+zum', ['Vortrag mit Musik', 'Vortrag über, was kommt']],
    // English stop words are ordinary words on this site.
    ['Vortrag+the', []],
    ['nacht%0Amuseen', ['Lange Nachtmuseen']],
    ['nacht%0D%0Amuseen%0A', ['Lange Nachtmuseen']],
    ['%22lange%0A+nacht%0Amuseen%22', ['Lange Nachtmuseen']],
    ['lange%0Anachtmuseen', []],
  ])('search=%s finds %j', async (search, found) => {
    expect(await titles(search)).toEqual(found);
  });
});

describe('stopWords', () => {
  it('returns the stop words of the language of a locale, and the English ones by default', () => {
    const has = (locale: string, singular: string) => stopWords(locale).has(singular);
    for (const locale of ['de_DE', 'de_CH_informal', 'de_AT', 'de'])
      expect([has(locale, 'über'), has(locale, 'the')]).toEqual([true, false]);
    for (const [locale, singular] of [
      ['fr_CA', 'où'],
      ['es_MX', 'quién'],
      ['it_IT', 'dove'],
      ['nl_NL_formal', 'het'],
      ['pt_BR', 'são'],
      ['nn_NO', 'hvor'],
      ['ru_RU', 'что'],
    ] as const)
      expect([locale, has(locale, singular)]).toEqual([locale, true]);
    for (const locale of ['en_US', 'en_GB', 'ja', '', 'xx_YY']) expect(has(locale, 'the')).toBe(true);
  });
});
