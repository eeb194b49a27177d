import ICAL from 'ical.js';
import { startApp, type TestApp } from '../support/app.js';
import {
  datesByIcalendar,
  datesByIcalJs,
  datesByKhal,
  describeWithReaders,
} from '../support/calendar-readers.js';
import { makeSite, type Site } from '../support/sites.js';
import {
  DAYS,
  EVENTS,
  FROM,
  listedDates,
  readText,
  UNTIL,
  WINDOW,
  writeRecurringEvents,
} from '../support/written-recurring-events.js';

describeWithReaders('recurring events in calendar files, read by other programs', () => {
  let site: Site;
  let app: TestApp;
  let ids: number[];
  beforeAll(async () => {
    site = await makeSite('SQLite');
    const env = { RECURRENCE: 'on' };
    app = await startApp({ databaseUrl: site.url, now: '2027-01-01T00:00:00Z', env });
    ids = await writeRecurringEvents(app);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  it('have exactly the dates of the list', async () => {
    const text = await readText(app, `/events.ics?${WINDOW}&per_page=1000`);
    const dates = await listedDates(app, WINDOW);
    expect(dates.length).toBeGreaterThan(250);
    expect(datesByIcalendar(text, FROM, UNTIL)).toEqual(dates);
    expect(datesByIcalJs(text, FROM, UNTIL)).toEqual(dates);
    expect(datesByKhal(text, FROM, DAYS)).toEqual(dates);
  });

  it('are one VEVENT with RRULE or RDATE where other programs understand the rule alike', async () => {
    for (const [at, { fields, series = true }] of EVENTS.entries()) {
      const text = await readText(app, `/events/${ids[at]}.ics`);
      const whole = text
        .split('BEGIN:VEVENT')
        .filter((one) => /\r\nR(?:RULE|DATE)[;:]/.test(one.split('END:VTIMEZONE').at(-1) ?? ''));
      expect([fields['title'], whole.length]).toEqual([fields['title'], series ? 1 : 0]);
      const own = datesByIcalendar(text, FROM, UNTIL);
      expect([fields['title'], datesByIcalJs(text, FROM, UNTIL)]).toEqual([fields['title'], own]);
      expect([fields['title'], datesByKhal(text, FROM, DAYS)]).toEqual([fields['title'], own]);
    }
  });

  it('have the instants of their zone beyond the stored dates, by the VTIMEZONE of the file alone', async () => {
    for (const [title, zone] of [
      ['Without an end', 'Europe/Berlin'],
      ['Without an end, in Jerusalem', 'Asia/Jerusalem'],
    ] as const) {
      const id = ids[EVENTS.findIndex(({ fields }) => fields['title'] === title)];
      const text = (await readText(app, `/events/${id}.ics`)).replaceAll(zone, 'Own/Zone');
      const wall = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, timeStyle: 'short' });
      const walls = datesByIcalJs(text, '2029-01-01', '2079-12-31').map((one) =>
        wall.format(new Date(`${one.slice(0, 16).replace(' ', 'T')}Z`)),
      );
      expect([title, walls.length > 500, [...new Set(walls)]]).toEqual([title, true, ['19:00']]);
    }
    ICAL.TimezoneService.reset();
  });
});
