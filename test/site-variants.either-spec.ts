import { unserialize } from '../src/lib/wordpress-text/php-serialize.js';
import { describeMariadbFirst } from './support/sites.js';
import { AGENDA, KALENDER } from './support/unusual-sites.js';
import { openVariant, type VariantSite } from './support/variant-site.js';

type Body = Record<string, unknown>;

const EVENT = { title: 'Fest', start_date: '2091-07-01 10:00:00', end_date: '2091-07-01 12:00:00' };

function useVariant(...[database, variant]: Parameters<typeof openVariant>): () => VariantSite {
  let site: VariantSite;
  beforeAll(async () => {
    site = await openVariant(database, variant);
  });
  afterAll(() => site?.close());
  return () => site;
}

describeMariadbFirst('a site with a fixed offset, a day cutoff and its own roles', (database) => {
  const site = useVariant(database, KALENDER);
  const create = (fields: Body, caller: 'admin' | 'contributor' = 'admin') =>
    site().body('/events', caller, 'POST', { ...EVENT, ...fields });
  const update = (id: unknown, fields: Body) => site().body(`/events/${id}`, 'admin', 'PUT', fields);

  it('links by its own home, site URL and slugs', async () => {
    const { home } = KALENDER;
    expect(await site().body('/events/55')).toMatchObject({
      global_id: 'intra.example.net/kalender?id=55',
      url: `${home}/index.php/fuesse/rock-roll-live`,
      rest_url: `${home}/wp-json/cal/events/v1/events/55`,
      image: { url: `${home}/wp/wp-content/uploads/2090/01/hall.jpg` },
      json_ld: { url: `${home}/index.php/fuesse/rock-roll-live/` },
    });
    expect((await site().body('/categories/4'))['url']).toBe(
      `${home}/index.php/veranstaltungen/category/music/rock-roll/punk`,
    );
    expect((await site().body('/tags/30'))['url']).toBe(`${home}/index.php/blog/tag/tag-q`);
    const { headers } = await site().send('anonymous', 'GET', '/venues');
    expect(headers.get('link')).toBe(`<${home}/wp-json/>; rel="https://api.w.org/"`);
  });

  it('renders the currency after the cost and declared custom fields only', async () => {
    expect(await site().body('/events/57')).toMatchObject({
      cost: '5.50€',
      custom_fields: [],
      json_ld: { offers: { price: '5.50', priceCurrency: 'EUR' } },
    });
    expect((await site().body('/events/55'))['custom_fields']).toEqual({
      _ecp_custom_2: { label: 'Kleiderordnung', value: 'Frack & "Fliege"' },
    });
  });

  it('lists days from 04:00 to 03:59, compared in UTC', async () => {
    const url = (await site().body('/events'))['rest_url'];
    expect(url).toBe(
      `${site().rest}/cal/events/v1/events/?page=1&per_page=7&start_date=2091-03-01 04:00:00&end_date=2093-03-02 03:59:59&status=publish`,
    );
    const on = async (query: Record<string, string>) =>
      Number((await site().body(`/events?${new URLSearchParams(query)}`))['total']);
    // Local times 03:59 and 04:00 of 2 August.
    await create({ title: 'Nacht', start_date: '2091-08-02 03:59:59', end_date: '2091-08-02 03:59:59' });
    await create({ title: 'Morgen', start_date: '2091-08-02 04:00:00', end_date: '2091-08-03 03:59:59' });
    await create({
      title: 'Anderswo',
      timezone: 'America/New_York',
      start_date: '2091-08-01 20:00:00',
      end_date: '2091-08-01 21:00:00',
    });
    expect(await on({ start_date: '2091-08-02', end_date: '2091-08-02' })).toBe(2);
    expect(await on({ start_date: '2091-08-01', end_date: '2091-08-01' })).toBe(1);
    expect(await on({ starts_after: '2091-08-01', ends_before: '2091-08-02' })).toBe(1);
  });

  it('lists an event once for each of its occurrences', async () => {
    const { events, total } = await site().body('/events?start_date=2091-07-02&end_date=2091-07-02');
    expect(total).toBe(1);
    expect(events).toMatchObject([{ id: 10_009_001, start_date: '2091-07-02 08:45:00' }]);
    const everything = await site().body('/events?include=66');
    expect(everything).toMatchObject({ total: 1, events: [{ id: 10_009_001 }] });
    expect(await site().body('/events/66')).toMatchObject({ id: 66, start_date: '2014-12-02 12:00:00' });
  });

  it('renders dates of JSON-LD in its own zone', async () => {
    const { id } = await create({ timezone: 'America/New_York' });
    expect((await site().body(`/events/${id}`))['json_ld']).toMatchObject({
      startDate: '2091-07-01T19:30:00+05:30',
      endDate: '2091-07-01T21:30:00+05:30',
    });
    // The local time takes precedence over a contradicting time in UTC.
    const { id: local } = await create({ timezone: 'UTC+5.5', start_date: '2091-05-01 06:00:00' });
    await site().ask(
      `UPDATE {p}postmeta SET meta_value = '2091-05-01 09:00:00' WHERE post_id = ${Number(local)} AND meta_key = '_EventStartDateUTC'`,
    );
    expect((await site().body(`/events/${local}`))['json_ld']).toMatchObject({
      startDate: '2091-05-01T06:00:00+05:30',
    });
  });

  it('writes local times of its offset', async () => {
    const event = await create({ title: 'Größe & Öl', date: '2091-02-01 01:00:00' });
    expect(event).toMatchObject({
      slug: 'groesse-oel',
      date: '2091-02-01 01:00:00',
      date_utc: '2091-01-31 19:30:00',
      timezone: 'UTC+5.5',
      timezone_abbr: 'UTC+5.5',
      utc_start_date: '2091-07-01 04:30:00',
      utc_end_date: '2091-07-01 06:30:00',
    });
    const changed = await update(event['id'], { date_utc: '2091-01-31 20:00:00' });
    expect(changed).toMatchObject({ date: '2091-02-01 01:30:00', date_utc: '2091-01-31 20:00:00' });
    const offset = Date.parse(`${changed['modified']}Z`) - Date.parse(`${changed['modified_utc']}Z`);
    expect(offset).toBe(5.5 * 3600e3);
    const [row] = await site().ask(`SELECT guid FROM {p}posts WHERE ID = ${event['id']}`);
    expect(row).toEqual({ guid: `${KALENDER.home}/index.php/fuesse/groesse-oel` });
  });

  it('writes all-day events by its day cutoff', async () => {
    const event = await create({ all_day: true });
    expect(event).toMatchObject({
      start_date: '2091-07-01 04:00:00',
      end_date: '2091-07-02 03:59:59',
      utc_start_date: '2091-06-30 22:30:00',
      utc_end_date: '2091-07-01 22:29:59',
    });
    const { id } = event;
    expect(await update(id, { all_day: true, title: 'Ganztags' })).toMatchObject({
      end_date: '2091-07-02 03:59:59',
    });
    expect(await update(id, { timezone: 'Asia/Tokyo' })).toMatchObject({
      start_date: '2091-07-01 04:00:00',
      utc_start_date: '2091-06-30 19:00:00',
    });
    expect(await update(id, { end_date: '2091-07-03' })).toMatchObject({ end_date: '2091-07-04 03:59:59' });
    const [row] = await site().ask(`SELECT * FROM {p}tec_events WHERE post_id = ${id}`);
    expect(row).toMatchObject({
      timezone: 'Asia/Tokyo',
      end_date: '2091-07-04 03:59:59',
      duration: 3 * 86400 - 1,
    });
    const timed = await create({ start_date: '2091-07-01 02:00:00', end_date: '2091-07-01 03:00:00' });
    expect(await update(timed['id'], { all_day: true })).toMatchObject({
      start_date: '2091-07-01 04:00:00',
      end_date: '2091-07-02 03:59:59',
    });
  });

  it('creates slugs of terms, venues and organizers by its language', async () => {
    const { id, venue, organizer, categories } = await create({
      categories: ['Süßes'],
      venue: { venue: 'Große Halle' },
      organizer: [{ organizer: 'Müller' }],
      cost: '12,50 €',
    });
    expect(categories).toMatchObject([{ name: 'Süßes', slug: 'suesses' }]);
    expect(venue).toMatchObject({
      slug: 'grosse-halle',
      url: `${KALENDER.home}/index.php/venue/grosse-halle`,
    });
    expect(organizer).toMatchObject([{ slug: expect.stringMatching(/^mueller(-\d+)?$/) }]);
    expect(await site().body(`/events/${id}`)).toMatchObject({
      cost: '12.50€',
      cost_details: { values: ['12.50'] },
    });
    const found = await site().body('/events?categories=S%C3%BC%C3%9Fes');
    expect(found).toMatchObject({ total: 1, events: [{ id }] });
  });

  it('grants rights by its own roles', async () => {
    expect(await create({ title: 'Darf' }, 'contributor')).toMatchObject({ status: 'publish' });
    expect(await site().send('author', 'POST', '/events', EVENT)).toMatchObject({ status: 403 });
    // A user whose role does not exist has no rights.
    expect(await site().send('editor', 'POST', '/events', EVENT)).toMatchObject({ status: 403 });
    expect(await site().send('admin', 'DELETE', '/events/55')).toMatchObject({ status: 403 });
  });
});

describeMariadbFirst('a site with almost no options', (database) => {
  const site = useVariant(database, AGENDA);
  const { home } = AGENDA;

  it('renders plain links', async () => {
    expect(await site().body('/events/55')).toMatchObject({
      global_id: 'Agenda.example.fr?id=55',
      url: `${home}/?tribe_events=rock-roll-live`,
      title: 'Rock &#038; Roll &laquo;&nbsp;Live&nbsp;&raquo;',
      image: { url: `${home}/wp-content/uploads/2090/01/hall.jpg` },
      custom_fields: [],
    });
    expect((await site().body('/categories/4'))['url']).toBe(`${home}/?tribe_events_cat=punk`);
    expect((await site().body('/tags/30'))['url']).toBe(`${home}/?tag=tag-q`);
    expect((await site().body('/events/57'))['cost']).toBe('$5.50');
  });

  it('lists events from the current day, twenty per page', async () => {
    const { rest_url, events } = await site().body('/events');
    expect(rest_url).toBe(
      `${site().rest}/cal/events/v1/events/?page=1&per_page=20&start_date=2091-03-01 00:00:00&end_date=2093-03-01 23:59:59&status=publish`,
    );
    expect(events).toHaveLength(20);
    const strict = await site().body('/events?strict_dates=1&start_date=2091-07-01%2012:00');
    expect(strict['rest_url']).toContain('start_date=2091-07-02 00:00:00');
  });

  it('writes local times of its zone in the southern hemisphere', async () => {
    const create = (fields: Body) => site().body('/events', 'admin', 'POST', { ...EVENT, ...fields });
    const winter = await create({ title: 'Été œuvre', timezone: '' });
    expect(winter).toMatchObject({
      slug: 'ete-oeuvre',
      url: `${home}/?tribe_events=ete-oeuvre`,
      timezone: 'Pacific/Auckland',
      timezone_abbr: 'NZST',
      utc_start_date: '2091-06-30 22:00:00',
    });
    const summer = await create({
      start_date: '2091-12-24 18:00:00',
      end_date: '2091-12-25 02:00:00',
      date_utc: '2091-01-10 12:00:00',
    });
    expect(summer).toMatchObject({
      timezone_abbr: 'NZDT',
      utc_start_date: '2091-12-24 05:00:00',
      date: '2091-01-11 01:00:00',
    });
    const draft = await create({ title: 'Brouillon', status: 'draft' });
    expect(draft).toMatchObject({ slug: '', url: `${home}/?post_type=tribe_events&p=${draft['id']}` });
    const guids = await site().ask(
      `SELECT guid FROM {p}posts WHERE ID IN (${winter['id']}, ${draft['id']}) ORDER BY ID`,
    );
    expect(guids.map(({ guid }) => guid)).toEqual([winter['url'], draft['url']]);
  });

  it('creates the options of the earliest and latest dates', async () => {
    const [row] = await site().ask(
      `SELECT option_value AS value FROM {p}options WHERE option_name = 'tribe_events_calendar_options'`,
    );
    const options = unserialize(String(row?.['value']));
    expect(options).toEqual(
      new Map<string, unknown>([
        ['earliest_date', '2014-07-31 22:45:00'],
        ['earliest_date_markers', new Map([[0, 217]])],
        ['latest_date', '2093-12-28 15:45:00'],
        ['latest_date_markers', new Map([[0, 197]])],
      ]),
    );
  });
});
