import { applicationPassword, dates, type New, nonce, plain, venuesOf, zonedDates } from 'almanac-client';
import { Temporal } from 'temporal-polyfill';

type Has<Name> = Name extends keyof New<'events'> ? true : false;
type Needs<Name extends keyof New<'events'>> = undefined extends New<'events'>[Name] ? false : true;
// The compiler says whether types know which fields there are, and which are needed.
const known: [Has<'title'>, Has<'titel'>, Needs<'title'>, Needs<'venue'>] = [true, false, true, false];

const summer = {
  start_date: '2026-07-01 18:00:00',
  end_date: '2026-07-01 20:30:00',
  utc_start_date: '2026-07-01 16:00:00',
  utc_end_date: '2026-07-01 18:30:00',
  timezone: 'Europe/Berlin',
};

describe('dates of events', () => {
  it('are instants', () => {
    expect(dates(summer)).toEqual({
      start: new Date('2026-07-01T16:00:00Z'),
      end: new Date('2026-07-01T18:30:00Z'),
    });
  });

  it.each([
    ['Europe/Berlin', '2026-07-01T18:00:00+02:00[Europe/Berlin]'],
    ['UTC', '2026-07-01T16:00:00+00:00[UTC]'],
    ['', '2026-07-01T16:00:00+00:00[UTC]'],
    ['UTC+2', '2026-07-01T18:00:00+02:00[+02:00]'],
    ['UTC-0', '2026-07-01T16:00:00+00:00[+00:00]', '16:00'],
    ['UTC+5.75', '2026-07-01T21:45:00+05:45[+05:45]', '21:45'],
    ['UTC+5:30', '2026-07-01T21:30:00+05:30[+05:30]', '21:30'],
    ['UTC-11.5', '2026-07-01T04:30:00-11:30[-11:30]', '04:30'],
    ['CEST', '2026-07-01T18:00:00+02:00[+02:00]'],
    // The server counts such offsets as UTC.
    ['UTC+13', '2026-07-01T16:00:00+00:00[+00:00]', '16:00'],
    ['Europe/Atlantis', '2026-07-01T18:00:00+02:00[+02:00]'],
  ])('are in the zones %j', (timezone, start, time = '18:00') => {
    const event = { ...summer, timezone, start_date: `2026-07-01 ${time}:00` };
    expect(zonedDates(event, Temporal)?.start.toString()).toBe(start);
  });

  it('roll over dates that do not exist, as Date does', () => {
    const event = { ...summer, utc_start_date: '2026-02-30 10:00:00' };
    const start = dates(event)?.start;
    expect(start).toEqual(new Date('2026-03-02T10:00:00Z'));
    expect(zonedDates(event, Temporal)?.start.toString()).toBe('2026-03-02T11:00:00+01:00[Europe/Berlin]');
  });

  it('require Temporal', () => {
    const runtime = globalThis as { Temporal?: unknown };
    const own = runtime.Temporal;
    runtime.Temporal = undefined;
    expect(() => zonedDates(summer)).toThrow(new TypeError('This runtime has no Temporal: hand one in.'));
    runtime.Temporal = Temporal;
    expect(String(zonedDates(summer)?.end)).toBe('2026-07-01T20:30:00+02:00[Europe/Berlin]');
    runtime.Temporal = own;
  });

  it.each([null, '', '0000-00-00 00:00:00', 'soon'])('reject %j', (utc_start_date) => {
    expect(dates({ ...summer, utc_start_date })).toBeUndefined();
    expect(zonedDates({ ...summer, utc_start_date }, Temporal)).toBeUndefined();
  });
});

it.each([
  ['A <em>B</em> &#038; C', 'A B & C'],
  ['&#8220;Quoted&#8221; &#x2013; &hellip;', '“Quoted” – &hellip;'],
  ['&amp;lt;b&amp;gt; &lt;b&gt;', '&lt;b&gt; <b>'],
  ['&#0; &#55296; &#x110000; &#9999999; & &amp', '&#0; &#55296; &#x110000; &#9999999; & &amp'],
  ['&constructor; &toString;', '&constructor; &toString;'],
  ['1 < 2 and <<<b>x', '1 < 2 and <<x'],
])('converts HTML to plain text: plain(%j)', (html, text) => {
  expect(plain(html)).toBe(text);
});

it('credentials are sent as headers', () => {
  expect(applicationPassword('zoë', 'ab cd')).toEqual({
    Authorization: `Basic ${Buffer.from('zoë:ab cd').toString('base64')}`,
  });
  expect(nonce('1a2b')).toEqual({ 'X-WP-Nonce': '1a2b' });
});

it('types have the declared fields', () => {
  expect(known).toEqual([true, false, true, false]);
});

it('the venues of an event are a list', () => {
  const venue = { id: 1 } as never;
  expect([venuesOf({ venue }), venuesOf({ venue: [] })]).toEqual([[venue], []]);
});
