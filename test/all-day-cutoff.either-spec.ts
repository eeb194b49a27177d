import './support/editor-document.js';
import ICAL from 'ical.js';
import { csvEvent, csvHead } from '../src/cli/export/event-csv.js';
import { asMap, serialize, unserialize } from '../src/lib/wordpress-text/php-serialize.js';
import type { EventJson } from '../src/resources/events/event-json.js';
import { type Field, type Row, valuesOf } from '../web/editor/model.js';
import { RESOURCES } from '../web/editor/resources.js';
import type { Session } from '../web/editor/session.js';
import { shownTimes } from '../web/editor/texts.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

type Fields = Record<string, unknown>;

const PARIS = { timezone: 'Europe/Paris' };
/** First and last days of all-day events, and the start and end that the REST interface returns for them. */
const DAYS: readonly [days: [first: string, last: string], clocks: [start: string, end: string]][] = [
  [
    ['2091-05-01', '2091-05-01'],
    ['2091-05-01 05:00:00', '2091-05-02 04:59:59'],
  ],
  [
    ['2091-05-01', '2091-05-03'],
    ['2091-05-01 05:00:00', '2091-05-04 04:59:59'],
  ],
  [
    ['2091-03-31', '2091-04-01'],
    ['2091-03-31 05:00:00', '2091-04-02 04:59:59'],
  ],
];

describeEither('all-day events when the day ends at 05:00', (database) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database, async (ask) => {
      const name = 'tribe_events_calendar_options';
      const [row] = await ask(`SELECT option_value AS value FROM wp_options WHERE option_name = '${name}'`);
      const options = new Map(asMap(unserialize(String(row?.['value']))));
      options.set('multiDayCutoff', '05:00');
      const value = serialize(options).replaceAll("'", "''");
      await ask(`UPDATE wp_options SET option_value = '${value}' WHERE option_name = '${name}'`);
    });
  });
  afterAll(() => fixture?.close());

  const createAllDay = ([start_date, end_date]: [string, string]) =>
    fixture.create({ all_day: true, start_date, end_date });
  const text = async (path: string) => (await fetch(`${fixture.app.url}${path}`)).text();

  it.each<[Fields, string]>([
    [{ all_day: true }, '05-01 05:00:00 – 05-02 04:59:59'],
    [{ all_day: true, ...PARIS }, '05-01 05:00:00 – 05-02 04:59:59'],
    [{ start_date: '2091-04-30 03:00' }, '04-30 05:00:00 – 05-02 04:59:59'],
    [{ end_date: '2091-05-04 03:00' }, '05-01 05:00:00 – 05-05 04:59:59'],
    [{ end_date: '2091-05-04 04:59:58' }, '05-01 05:00:00 – 05-05 04:59:59'],
    [{ end_date: '2091-05-04 05:00:00' }, '05-01 05:00:00 – 05-05 04:59:59'],
    [{ end_date: '2091-05-04 04:59:59' }, '05-01 05:00:00 – 05-04 04:59:59'],
    [{ end_date: '2091-05-04T04:59:59' }, '05-01 05:00:00 – 05-04 04:59:59'],
    [{ all_day: false }, '05-01 05:00:00 – 05-02 04:59:59'],
  ])('W2: updating an all-day event with %j aligns its dates with the cutoff', async (sent, expected) => {
    const { id } = await fixture.create({ all_day: true });
    const { start_date, end_date } = await fixture.update(id, sent);
    expect(`${start_date} – ${end_date}`.replaceAll('2091-', '')).toBe(expected);
  });

  it.each(DAYS)('keeps the days of %j when its own dates are sent back or copied', async (days, clocks) => {
    const event = await createAllDay(days);
    const { start_date, end_date, all_day } = event;
    expect([start_date, end_date]).toEqual(clocks);
    for (const sent of [{ start_date, end_date }, { start_date, end_date, all_day }, { end_date }])
      expect(await fixture.update(event['id'], sent)).toMatchObject({ start_date, end_date });
    expect(await fixture.create({ start_date, end_date, all_day })).toMatchObject({ start_date, end_date });
  });

  it.each(DAYS)('every output format names the same last day for %j', async (days) => {
    const [first, last] = days;
    const { id } = await createAllDay(days);
    const { body } = await fixture.send('anonymous', 'GET', `/events/${id}`);
    const path = `/cal/events/v1/events.PART?include=${id}`;
    const [component] = new ICAL.Component(
      ICAL.parse(await text(`/cal/events/v1/events/${id}.ics`)),
    ).getAllSubcomponents('vevent');
    const entry = new ICAL.Event(component);
    entry.endDate.adjust(-1, 0, 0, 0);
    expect([entry.startDate.toString(), entry.endDate.toString()]).toEqual(days);
    const json = JSON.parse(await text(path.replace('PART', 'feed.json'))) as { items: Fields[] };
    const dateRange = first === last ? first : `${first} – ${last}`;
    expect(json.items).toMatchObject([{ summary: dateRange, _event: { start: first, end: last } }]);
    expect(await text(path.replace('PART', 'rss'))).toContain(`<ev:enddate>${last}</ev:enddate>`);
    for (const part of ['rss', 'atom'])
      expect(await text(path.replace('PART', part))).toContain(`&lt;p&gt;${dateRange}&lt;/p&gt;`);
    const page = await text(`/calendar?event=${id}`);
    const data = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(page)?.[1] ?? '';
    expect(JSON.parse(data)).toMatchObject({ startDate: first, endDate: last });
    const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' });
    const dayAfter = dayFormat.format(Date.parse(`${last}T00:00:00Z`) + 86_400_000);
    const rendered = /<time [^>]*>(.*?)<\/time>/s.exec(page)?.[1] ?? '';
    expect(rendered).toContain(dayFormat.format(Date.parse(`${last}T00:00:00Z`)));
    expect(rendered).not.toContain(dayAfter);
    const line = csvEvent(body as unknown as EventJson, { uid: '1@example.org' });
    expect(csvHead()).toContain('start_date,end_date,timezone,all_day');
    expect(line).toContain(`${first},${last},America/New_York,true`);
    const row = body as Row;
    const [resource] = RESOURCES.filter(({ kind }) => kind === 'events');
    const fields: Field[] = (resource?.groups ?? [])
      .flatMap((group) => group.fields)
      .filter(({ name }) => name === 'start_date' || name === 'end_date');
    const values = valuesOf(fields, row, {} as Session);
    expect(Object.values(values).map((value) => String(value).slice(0, 10))).toEqual(days);
    const saved = Object.fromEntries(fields.map(({ name, write }) => [name, write?.(values[name] ?? '')]));
    expect(await fixture.update(id, saved)).toMatchObject({ end_date: body['end_date'] });
    const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
    expect(shownTimes(row)).toBe(dateFormat.formatRange(Date.parse(first), Date.parse(last)));
  });
});
