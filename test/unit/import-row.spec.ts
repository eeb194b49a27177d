import { rowReader } from '../../src/cli/import/import-row.js';

describe('dates in tables', () => {
  const read = (start: string, end = '') =>
    rowReader(['Title', 'Start date', 'end_date'], () => undefined)(['A', start, end], 'UTC').fields;

  it.each(['2027-03-10 19:00', '10.03.2027 19:00', '3/10/2027 7:00 PM', 'March 10, 2027', '20270310T190000'])(
    'are given to the interface as they are: %s',
    (start) => {
      expect(read(start)).toMatchObject({ start_date: start, end_date: start });
    },
  );

  it.each(['', '46456', '46456,79', '46456.79', '2027', '20270310', '13.04.27', '3/4/27', 'tomorrow'])(
    'that a table can not mean are refused: "%s"',
    (cell) => {
      expect(() => read(cell)).toThrow(/^its start_date has to be a date with a year of four digits/);
      if (cell !== '') expect(() => read('2027-03-10', cell)).toThrow(/^its end_date has to be a date/);
    },
  );

  it.each(['2027-02-30', '2027/2/29 10:00', '31.04.2027 19:00', '29-02-2027', '2/30/2027', '13/01/2027'])(
    'that name a day which does not exist are refused: %s',
    (cell) => {
      expect(() => read(cell)).toThrow('its start_date is a day that does not exist');
      expect(() => read('2027-03-10', cell)).toThrow('its end_date is a day that does not exist');
      expect(read(cell.replace(/30|31|29|13/, '5'))).toHaveProperty('end_date');
    },
  );
});

describe('records that a row names', () => {
  const read = (row: Readonly<Record<string, string>>) => {
    const cells = { title: 'A', start_date: '2027-03-10 19:00', ...row };
    return rowReader(Object.keys(cells), () => undefined)(Object.values(cells), 'UTC').fields;
  };

  it('take nothing from columns that are not known', () => {
    const odd = {
      venue_id: '6',
      venue_venue: 'Other',
      venue_image: 'http://example.org/a.png',
      venue_status: 'draft',
    };
    expect(read({ venue: 'Hall', venue_city: 'Bonn', ...odd })).toHaveProperty('venue', [
      { venue: 'Hall', city: 'Bonn' },
    ]);
    expect(read({ organizer: 'Mara', organizer_organizer: 'Other' })).toHaveProperty('organizer', [
      { organizer: 'Mara' },
    ]);
  });

  it('cost as much as their cells are long, however many there are', () => {
    const many = 100_000;
    const lines = (text: string) => `${text}\n`.repeat(many).trimEnd();
    const { user, system } = process.cpuUsage();
    expect(read({ venue: lines('v'), venue_city: lines('c') })['venue']).toHaveLength(many);
    const used = process.cpuUsage({ user, system });
    expect((used.user + used.system) / 1e6).toBeLessThan(10);
  });
});
