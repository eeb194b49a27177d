import { parse } from 'csv-parse/sync';
import { csvEvent, csvHead } from '../../src/cli/export/event-csv.js';
import { rowReader } from '../../src/cli/import/import-row.js';
import type { EventJson } from '../../src/resources/events/event-json.js';

describe('dates in tables', () => {
  const read = (start: string, end = '') =>
    rowReader(['Title', 'Start date', 'end_date'], () => undefined)(['A', start, end], 'UTC').fields;

  it.each(['2027-03-10 19:00', '10.03.2027 19:00', '3/10/2027 7:00 PM', 'March 10, 2027', '20270310T190000'])(
    'are passed to the interface unchanged: %s',
    (start) => {
      expect(read(start)).toMatchObject({ start_date: start, end_date: start });
    },
  );

  it.each(['', '46456', '46456,79', '46456.79', '2027', '20270310', '13.04.27', '3/4/27', 'tomorrow'])(
    'that a table cannot contain are rejected: "%s"',
    (cell) => {
      expect(() => read(cell)).toThrow(/^its start_date has to be a date with a year of four digits/);
      if (cell !== '') expect(() => read('2027-03-10', cell)).toThrow(/^its end_date has to be a date/);
    },
  );

  it.each(['2027-02-30', '2027/2/29 10:00', '31.04.2027 19:00', '29-02-2027', '2/30/2027', '13/01/2027'])(
    'that do not exist are rejected: %s',
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

  it('ignore unknown columns', () => {
    const unusual = {
      venue_id: '6',
      venue_venue: 'Other',
      venue_image: 'http://example.org/a.png',
      venue_status: 'draft',
    };
    expect(read({ venue: 'Hall', venue_city: 'Bonn', ...unusual })).toHaveProperty('venue', [
      { venue: 'Hall', city: 'Bonn' },
    ]);
    expect(read({ organizer: 'Mara', organizer_organizer: 'Other' })).toHaveProperty('organizer', [
      { organizer: 'Mara' },
    ]);
  });

  it('take time linear in the length of their cells', () => {
    const many = 100_000;
    const lines = (text: string) => `${text}\n`.repeat(many).trimEnd();
    const { user, system } = process.cpuUsage();
    expect(read({ venue: lines('v'), venue_city: lines('c') })['venue']).toHaveLength(many);
    const used = process.cpuUsage({ user, system });
    expect((used.user + used.system) / 1e6).toBeLessThan(10);
  });
});

/** The fields of the rows of a table, and the notes about it. */
function readTable(table: string) {
  const notes: string[] = [];
  const [header = [], ...rows]: string[][] = parse(table);
  const row = rowReader(header, (line) => notes.push(line));
  return { fields: rows.map((cells) => row(cells, 'UTC').fields), notes };
}

describe('tables of other programs', () => {
  it("are read by the names of the plugin's columns", () => {
    const { fields, notes } = readTable(
      `EVENT NAME,Event Excerpt,Event Venue Name,Event Organizer Name(s) or ID(s),Event Start Date,Event Start Time,Event End Date,Event End Time,All Day Event,Event Time Zone,Hide From Event Listings,Sticky in Month View,Event Category,Event Tags,Event Cost,Event Currency Symbol,Event Currency Position,Event Featured Image,Event Website,Event Show Map Link,Event Show Map,Allow Comments,Event Description
Tea,Short,Hall,"Ann, Bee",2027-03-10,7:00 PM,2027-03-10,21:30,FALSE,Europe/Berlin,no,Yes,"Food, Drink",tea,10,€,postfix,https://example.org/a.png,example.org,TRUE,0,TRUE,<p>Long</p>`,
    );
    expect(fields).toEqual([
      {
        title: 'Tea',
        excerpt: 'Short',
        description: '<p>Long</p>',
        venue: [{ venue: 'Hall' }],
        organizer: [{ organizer: 'Ann' }, { organizer: 'Bee' }],
        start_date: '2027-03-10 19:00:00',
        end_date: '2027-03-10 21:30:00',
        all_day: 'false',
        timezone: 'Europe/Berlin',
        hide_from_listings: 'false',
        sticky: 'true',
        categories: ['Food', 'Drink'],
        tags: ['tea'],
        cost: '10€',
        image: 'https://example.org/a.png',
        website: 'http://example.org',
        show_map_link: 'true',
        show_map: '0',
      },
    ]);
    expect(notes).toEqual(['These columns are not known and not imported: Allow Comments.']);
  });

  it("are read by the names of Google's columns", () => {
    const { fields } = readTable(
      `Subject,Start Date,Start Time,End Date,End Time,All Day Event,Description,Location,Private
Exam,05/30/2027,10:00 AM,05/30/2027,1:00 PM,False,50 questions,"Columbia, Schermerhorn 614, New York",True
Trip,05/30/2027,,06/01/2027,,True,,,False`,
    );
    expect(fields).toMatchObject([
      {
        title: 'Exam',
        start_date: '05/30/2027 10:00:00',
        end_date: '05/30/2027 13:00:00',
        all_day: 'false',
        venue: [{ venue: 'Columbia', address: 'Schermerhorn 614, New York' }],
        status: 'private',
      },
      { title: 'Trip', start_date: '05/30/2027', end_date: '06/01/2027', all_day: 'true' },
    ]);
    expect(fields[1]).not.toHaveProperty('status');
    expect(fields[1]).not.toHaveProperty('venue');
  });

  it("are read by the names of Outlook's columns, whose whole days end at the next midnight", () => {
    const { fields } = readTable(
      `"Subject","Start Date","Start Time","End Date","End Time","All day event","Reminder on/off","Reminder Date","Reminder Time","Meeting Organizer","Categories","Description","Location","Priority","Sensitivity","Show time as"
"Fair","3/10/2027","12:00:00 AM","3/12/2027","12:00:00 AM","True","False","3/9/2027","6:00:00 AM","Ann Bee","Red Category;Trade","x","Hall","Normal","Normal","2"
"Talk","3/10/2027","12:15:00 PM","3/10/2027","1:00:00 PM","False","False","3/9/2027","6:00:00 AM","Ann Bee","","x","","Normal","Private","2"`,
    );
    expect(fields).toMatchObject([
      {
        start_date: '3/10/2027',
        end_date: '2027-03-11',
        all_day: 'true',
        categories: ['Red Category', 'Trade'],
        organizer: [{ organizer: 'Ann Bee' }],
        venue: [{ venue: 'Hall' }],
      },
      { start_date: '3/10/2027 12:15:00', end_date: '3/10/2027 13:00:00', status: 'private' },
    ]);
  });

  it.each([
    ['19:00', '19:00:00'],
    ['19:00:30', '19:00:30'],
    ['7 PM', '19:00:00'],
    ['12:05 a.m.', '00:05:00'],
    ['12 pm', '12:00:00'],
    ['19.30', '19:30:00'],
    ['19.30 Uhr', '19:30:00'],
    ['19 Uhr', '19:00:00'],
    ['19h30', '19:30:00'],
    ['19h', '19:00:00'],
  ])('have times such as %s', (time, wall) => {
    expect(readTable(`title,start_date,start_time\nA,2027-03-10,${time}`).fields).toMatchObject([
      { start_date: `2027-03-10 ${wall}`, end_date: `2027-03-10 ${wall}` },
    ]);
  });

  it.each(['evening', '19', '0.79', '25:00', '19:60', '13:00 PM', '0 am', '7 to 9 PM', '19:00 CET'])(
    'are rejected per row where a time is invalid: %s',
    (time) => {
      expect(() => readTable(`title,start_date,start_time\nA,2027-03-10,${time}`)).toThrow(
        'its start_time has to be a time such as 19:00 or 7:00 PM',
      );
      expect(() => readTable(`title,start_date,start_time,end_time\nA,2027-03-10,10:00,"${time}"`)).toThrow(
        'its end_time has to be a time',
      );
    },
  );

  it.each(['Time', 'Event time', 'Uhrzeit', 'Doors (hours)', 'Heure'])(
    'are rejected per row where a column of times is unknown: %s',
    (name) => {
      const table = (cell: string) => readTable(`title,start_date,${name}\nA,2027-03-10,${cell}`);
      expect(() => table('19:00')).toThrow(`its time in the column "${name}" would be lost`);
      expect(table('').fields).toHaveLength(1);
    },
  );

  it('read each time once', () => {
    const at = (date: string) => () => readTable(`title,start_date,start_time\nA,${date},19:00`).fields[0];
    expect(at('2027-03-10 00:00:00')()).toMatchObject({ start_date: '2027-03-10 19:00:00' });
    expect(at('3/10/2027 12:00:00 AM')()).toMatchObject({ start_date: '3/10/2027 19:00:00' });
    expect(at('2027-03-10 18:00')).toThrow(
      'it has a time in its start_date and another one in its start_time',
    );
  });

  it('mean whole days by empty times, unless another column differs', () => {
    const read = (rest: string) =>
      readTable(`title,start_date,start_time,all_day\nA,2027-03-10,${rest}`).fields[0];
    expect(read(',')).toMatchObject({ start_date: '2027-03-10', all_day: 'true' });
    expect(read(',no')).toMatchObject({ start_date: '2027-03-10', all_day: 'false' });
    expect(read('10:00,')).not.toHaveProperty('all_day');
  });

  it('may have an end time before the start time', () => {
    const { fields } = readTable(`title,start_date,start_time,end_time\nA,2027-03-10,19:00,21:00`);
    expect(fields).toMatchObject([{ start_date: '2027-03-10 19:00:00', end_date: '2027-03-10 21:00:00' }]);
  });
});

describe('written tables', () => {
  const EVENT = {
    ...{ id: 7, title: 'A', description: '', excerpt: '', slug: 'a', status: 'publish', date: '', url: 'x' },
    ...{
      all_day: false,
      start_date: '2027-03-10 19:00:00',
      end_date: '2027-03-10 20:00:00',
      timezone: 'UTC',
    },
    ...{
      cost: '',
      cost_details: { values: [] },
      website: 'x',
      categories: [],
      tags: [],
      venue: [],
      organizer: [],
    },
    image: false,
  };
  const written = (over: object) => csvEvent({ ...EVENT, ...over } as unknown as EventJson, { uid: 'u' });

  it.each([
    ...['=x', '+x', '-x', '@x', '\uff1dx', '\uff0bx', '\uff0dx', '\uff20x'],
    ...["'=x", "''=x", "'\uff1dx"],
  ])('contain no formula, and round-trip: %s', (description) => {
    const line = written({ description });
    expect(line.split(',')[2]).toBe(`'${description}`);
    expect(readTable(csvHead() + line).fields).toMatchObject([{ description }]);
  });

  it.each(["'x", 'x=y', "o'clock"])('leave other texts unchanged: %s', (description) => {
    expect(written({ description }).split(',')[2]).toBe(description);
  });

  it('quote every line end that a spreadsheet knows', () => {
    for (const sign of [',', ';', '\t']) expect(written({ excerpt: `a${sign}b` })).toContain(`,"a${sign}b",`);
  });

  it('begin with a byte order mark where requested', () => {
    expect(csvHead(true)).toBe(`\ufeff${csvHead()}`);
    expect(csvHead()).toMatch(/^uid,title,/);
  });
});

describe("the columns of the plugin's own import", () => {
  it('are all known under their documented names', () => {
    const row = {
      'Event Name': 'Concert',
      'Event Description': '<p>Loud</p>',
      'Event Excerpt': 'Loud',
      'Event Start Date': '2027-05-18',
      'Event Start Time': '7:00 PM',
      'Event End Date': '2027-05-18',
      'Event End Time': '9:30 PM',
      'All Day Event': 'FALSE',
      Timezone: 'Europe/Berlin',
      'Hide Event From Event Listings': 'FALSE',
      'Event Sticky in Month View': 'TRUE',
      'Feature Event': 'TRUE',
      'Event Venue Name': 'Town Hall',
      'Venue Address': '1 Market Street',
      'Venue Address 2': 'Second floor',
      'Venue City': 'Springfield',
      'Venue State/Province': 'IL',
      'Venue Zip': '62701',
      'Venue Country': 'United States',
      'Venue Phone': '555-0100',
      'Venue Website': 'https://hall.example.org',
      'Venue Description': 'A hall.',
      'Event Organizer Name(s)': 'Mara, "Smith, Jones"',
      'Event Show Map Link': 'TRUE',
      'Event Show Map': 'FALSE',
      'Event Cost': '12',
      'Event Currency Symbol': '$',
      'Event Currency Position': 'prefix',
      'Event Category': 'Music, Night',
      'Event Tags': 'loud',
      'Event Website': 'https://example.org/concert',
      'Event Featured Image': 'https://example.org/a.png',
    };
    const notes: string[] = [];
    const read = rowReader(Object.keys(row), (line) => notes.push(line));
    expect(read(Object.values(row), 'UTC').fields).toEqual({
      title: 'Concert',
      description: '<p>Loud</p>',
      excerpt: 'Loud',
      start_date: '2027-05-18 19:00:00',
      end_date: '2027-05-18 21:30:00',
      all_day: 'false',
      timezone: 'Europe/Berlin',
      hide_from_listings: 'false',
      sticky: 'true',
      featured: 'true',
      venue: [
        {
          venue: 'Town Hall',
          address: '1 Market Street, Second floor',
          city: 'Springfield',
          stateprovince: 'IL',
          zip: '62701',
          country: 'United States',
          phone: '555-0100',
          website: 'https://hall.example.org',
          description: 'A hall.',
        },
      ],
      organizer: [{ organizer: 'Mara' }, { organizer: 'Smith, Jones' }],
      show_map_link: 'true',
      show_map: 'false',
      cost: '$12',
      categories: ['Music', 'Night'],
      tags: ['loud'],
      website: 'https://example.org/concert',
      image: 'https://example.org/a.png',
    });
    expect(notes).toEqual([]);
  });

  it('hold an organizer with what is known of it', () => {
    const row = {
      'Event Name': 'Concert',
      'Event Start Date': '2027-05-18 19:00',
      'Organizer Name': 'Mara',
      'Organizer Email': 'mara@example.org',
      'Organizer Phone': '555-0101',
      'Organizer Website': 'https://mara.example.org',
      'Organizer Description': 'Sings.',
    };
    const { fields } = rowReader(Object.keys(row), () => undefined)(Object.values(row), 'UTC');
    expect(fields['organizer']).toEqual([
      {
        organizer: 'Mara',
        email: 'mara@example.org',
        phone: '555-0101',
        website: 'https://mara.example.org',
        description: 'Sings.',
      },
    ]);
  });
});
