import { dateRows } from './support/series-rows.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const BASE = 10_000_000;
const CHOIR = {
  title: 'Choir',
  timezone: 'Europe/Berlin',
  start_date: '2091-10-16 19:00:00',
  end_date: '2091-10-16 21:00:00',
};

describe('the calendar page of a recurring event', () => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture('SQLite', undefined, { RECURRENCE: 'on' });
  });
  afterAll(() => fixture?.close());

  const make = async (recurrence: object) => {
    const { id } = await fixture.create({ ...CHOIR, recurrence });
    return { id: Number(id), dates: (await dateRows(fixture.ask, id)).map((row) => BASE + row.id) };
  };
  const page = async (id?: number) => {
    const text = await (await fetch(`${fixture.app.url}/calendar?event=${id}`)).text();
    const link = (rel: string) =>
      Number(new RegExp(`<a rel="${rel}" href="[^"]*event=(\\d+)"`).exec(text)?.[1]) || undefined;
    return {
      repeats: /<dt>(?:Repeats|Wiederholung)<\/dt><dd>(.*?)<\/dd>/.exec(text)?.[1],
      links: [link('prev'), link('next')],
    };
  };
  const language = async (locale: string) => {
    await fixture.ask("DELETE FROM wp_options WHERE option_name = 'WPLANG'");
    await fixture.ask(
      `INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('WPLANG', '${locale}', 'yes')`,
    );
  };

  it('describes the rule in the language of the site', async () => {
    const { dates } = await make({
      rrule: ['FREQ=WEEKLY;INTERVAL=2;UNTIL=20911211'],
      exdates: ['2091-11-13'],
    });
    expect(await page(dates[1])).toMatchObject({
      repeats: 'every second Tuesday until December 11, not on November 13',
    });
    await language('de_DE');
    expect(await page(dates[1])).toMatchObject({
      repeats: 'jeden zweiten Dienstag bis zum 11. Dezember, nicht am 13. November',
    });
    await language('pl_PL');
    expect(await page(dates[1])).toMatchObject({
      repeats: 'every second Tuesday until December 11, not on November 13',
    });
    await language('');
  });

  it('says nothing of single events and of rules without words', async () => {
    const { dates } = await make({ rrule: ['FREQ=MONTHLY;COUNT=3;BYMONTHDAY=16,18;BYDAY=TU,TH'] });
    expect((await page(dates[0])).repeats).toBeUndefined();
    const single = await fixture.create(CHOIR);
    expect(await page(Number(single['id']))).toEqual({ repeats: undefined, links: [undefined, undefined] });
  });

  it('links the dates before and after, past dates to the next one', async () => {
    const { id, dates } = await make({ rrule: ['FREQ=WEEKLY;COUNT=3'] });
    const links = async (of?: number) => (await page(of)).links;
    expect(await links(id)).toEqual([undefined, dates[1]]);
    expect(await links(dates[0])).toEqual([undefined, dates[1]]);
    expect(await links(dates[1])).toEqual([dates[0], dates[2]]);
    expect(await links(dates[2])).toEqual([dates[1], undefined]);
    // An hour after the first date has ended, 23:00 in Berlin.
    const clock = fixture.app.clock;
    const passed = Date.parse('2091-10-16T21:00:00Z') - clock.now();
    clock.pass(passed);
    try {
      expect(await links(dates[0])).toEqual([undefined, dates[1]]);
      expect(await links(id)).toEqual([undefined, dates[1]]);
      expect(await links(dates[1])).toEqual([undefined, dates[2]]);
    } finally {
      clock.pass(-passed);
    }
  });

  it('links the dates before and after on the public pages of the dates too, and there to such pages', async () => {
    const { id } = await make({ rrule: ['FREQ=DAILY;COUNT=3'] });
    const { slug } = (await fixture.send('anonymous', 'GET', `/events/${id}`)).body as { slug: string };
    const links = async (path: string) => {
      const text = await (await fetch(`${fixture.app.url}/event/${slug}/${path}`)).text();
      const [, dates = ''] = /<p class="dates">(.*?)<\/p>/s.exec(text) ?? [];
      return ['prev', 'next'].map((rel) => new RegExp(`rel="${rel}" href="([^"]*)"`).exec(dates)?.[1]);
    };
    const to = (day: number, up: string) => `${up}event/${slug}/2091-10-${day}/`;
    expect(await links('')).toEqual([undefined, to(17, '../../')]);
    expect(await links('2091-10-16/')).toEqual([undefined, to(17, '../../../')]);
    expect(await links('2091-10-17/')).toEqual([to(16, '../../../'), to(18, '../../../')]);
  });

  it('has the neighbours of its first date on its own page, never itself', async () => {
    const { id } = await make({ rrule: ['FREQ=DAILY;COUNT=2'] });
    const { slug } = (await fixture.send('anonymous', 'GET', `/events/${id}`)).body as { slug: string };
    const neighbours = async (path: string) => {
      const text = await (await fetch(`${fixture.app.url}${path}`)).text();
      const [, nav = ''] = /<nav class="neighbours".*?>(.*?)<\/nav>/s.exec(text) ?? [];
      return ['prev', 'next'].map((rel) => new RegExp(`rel="${rel}" href="[./]*([^"]*)"`).exec(nav)?.[1]);
    };
    const own = await neighbours(`/event/${slug}/`);
    expect(own).toEqual(await neighbours(`/event/${slug}/2091-10-16/`));
    expect(own.filter(Boolean).length).toBeGreaterThan(0);
    // Other events have their dates at the same time.
    expect(own).not.toContain(`event/${slug}/2091-10-16/`);
    expect(own).not.toContain(`event/${slug}/`);
  });
});
