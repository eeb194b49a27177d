import { SeededRandom } from './unusual-values.js';

/** A `STANDARD` or `DAYLIGHT`: offsets before and after, its first onset, and the lines of further ones. */
type Observance = [name: string, from: string, to: string, start: string, ...lines: string[]];

/** Described zones, of all kinds that programs write. */
const DESCRIBED: readonly (readonly Observance[])[] = [
  [
    ['DAYLIGHT', '+0100', '+0200', '19700329T020000', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU'],
    ['STANDARD', '+0200', '+0100', '19701025T030000', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'],
  ],
  [
    ['DAYLIGHT', '-0500', '-0400', '20070311T020000', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU'],
    ['STANDARD', '-0400', '-0500', '20071104T020000', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU'],
    [
      ...(['DAYLIGHT', '-0500', '-0400', '19870405T020000'] as const),
      'RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;UNTIL=20060402T070000Z',
    ],
    [
      ...(['STANDARD', '-0400', '-0500', '19671029T020000'] as const),
      'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20061029T060000Z',
    ],
  ],
  [
    [
      ...(['DAYLIGHT', '+0100', '+0200', '19810329T020000'] as const),
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;UNTIL=20270328T010000Z',
    ],
    ['STANDARD', '+0200', '+0100', '19961027T030000', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'],
    ['STANDARD', '+0100', '+0300', '20280101T000000'],
  ],
  [
    ['STANDARD', '+1100', '+1030', '20080406T020000', 'RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU'],
    ['DAYLIGHT', '+1030', '+1100', '20081005T020000', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=1SU'],
  ],
  [['STANDARD', '+0545', '+0545', '19860101T000000']],
  // As Outlook writes it: the start is no date of the rule.
  [
    ['STANDARD', '+0200', '+0100', '16010101T030000', 'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10'],
    ['DAYLIGHT', '+0100', '+0200', '16010101T020000', 'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3'],
  ],
  [
    ['STANDARD', '-0230', '-0330', '20271107T020000', 'RRULE:FREQ=YEARLY;BYYEARDAY=311;COUNT=20'],
    [
      'DAYLIGHT',
      '-0330',
      '-0230',
      '20270314T020000',
      'RRULE:FREQ=YEARLY;BYYEARDAY=73;UNTIL=20400313T053000Z',
    ],
  ],
  [
    ['STANDARD', '+005328', '+0100', '18930401T000000'],
    ['DAYLIGHT', '+0100', '+0200', '20270328T020000', 'RDATE:20270328T020000', 'RDATE:20280326T020000'],
    ['STANDARD', '+0200', '+0100', '20271031T030000', 'RDATE:20271031T030000,20281029T030000'],
  ],
  [
    ['DAYLIGHT', '-0300', '-0200', '16011019T000000', 'RRULE:FREQ=YEARLY;BYDAY=3SU;BYMONTH=10'],
    ['STANDARD', '-0200', '-0300', '16010218T000000', 'RRULE:FREQ=YEARLY;BYDAY=3SU;BYMONTH=2'],
  ],
  [
    ['STANDARD', '+0000', '+0100', '19710328T010000', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU'],
    ['DAYLIGHT', '+0100', '+0000', '19711031T020000', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'],
  ],
  [
    [
      ...(['DAYLIGHT', '+0200', '+0300', '20260327T020000'] as const),
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=23,24,25,26,27,28,29;BYDAY=FR',
    ],
    ['STANDARD', '+0300', '+0200', '20261025T020000', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'],
  ],
];

/** Names of described zones: of no zone, of Windows, with a prefix, and such as contradict what is described. */
const NAMES = [
  'Custom',
  'W. Europe Standard Time',
  'Europe/Berlin',
  '/example.org/1/Europe/London',
  'A; B, C (x: y)',
];
const NAMED = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific Standard Time',
  'Asia/Kathmandu',
  'America/Sao_Paulo',
  'Africa/Casablanca',
  'Pacific/Apia',
];

/** Days with and beside changes of clocks. */
const DAYS = [
  '20270213',
  '20270313',
  '20270325',
  '20270327',
  '20270402',
  '20271002',
  '20271023',
  '20271030',
  '20271105',
  '19690329',
  '20111228',
  '20181102',
  '20070310',
  '20450325',
];
const TIMES = [
  '000000',
  '003000',
  '010000',
  '013000',
  '020000',
  '023000',
  '024500',
  '030000',
  '120000',
  '233000',
];
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const OFFSETS = [-240, -300, 60, 120, 0, 630, 660, 345, 180];

/** Random calendar files whose events recur in described and named zones, with dates in zones of their own. */
export function randomCalendars(count: number, seed: number): string[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, () => new RandomCalendar(random).text());
}

class RandomCalendar {
  private readonly described: string[];

  constructor(private readonly random: SeededRandom) {
    this.described = random.some(random.roll(3), NAMES);
  }

  text(): string {
    const { random } = this;
    const events = Array.from({ length: 1 + random.roll(2) }, (_, at) => this.event(`event-${at}`));
    const zones = this.described.map((name) => this.zone(name));
    const body = random.roll(4) === 0 ? [...events, ...zones] : [...zones, ...events];
    const head = random.roll(4) === 0 ? ['X-WR-TIMEZONE:Europe/London'] : [];
    return ['BEGIN:VCALENDAR', ...head, ...body.flat(), 'END:VCALENDAR', ''].join('\r\n');
  }

  private zone(name: string): string[] {
    const described = this.random.pick(DESCRIBED);
    const observances = this.random
      .some(described.length, described)
      .flatMap(([kind, from, to, start, ...lines]) => [
        ...[`BEGIN:${kind}`, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, `DTSTART:${start}`],
        ...[...lines, `END:${kind}`],
      ]);
    return ['BEGIN:VTIMEZONE', `TZID:${name.replace(/[,;]/g, '\\$&')}`, ...observances, 'END:VTIMEZONE'];
  }

  private event(uid: string): string[] {
    const { random } = this;
    const isDay = random.roll(6) === 0;
    const zone = random.pick([this.tzid(), this.tzid(), this.tzid(), 'Z', '']);
    const wall = random.pick(DAYS) + (isDay ? '' : `T${random.pick(TIMES)}`);
    const at = (time: string) =>
      isDay ? `;VALUE=DATE:${time}` : zone === 'Z' ? `:${time}Z` : `${zone}:${time}`;
    const length = isDay
      ? ['DURATION:P2D', 'DURATION:P1W', `DTEND${at(later(wall, 2 * 1440))}`]
      : [
          'DURATION:PT45M',
          'DURATION:P1DT1H',
          'DURATION:P1D',
          `DTEND${at(later(wall, 60))}`,
          `DTEND${at(later(wall, 1500))}`,
        ];
    const dates = Array.from({ length: 40 }, (_, day) => later(wall, day * 1440));
    const date = () => random.pick(dates.slice(0, 15));
    const sometimes = (chance: number, line: () => string) => (random.roll(chance) === 0 ? [line()] : []);
    const rules =
      random.roll(8) === 0
        ? []
        : Array.from({ length: random.roll(6) === 0 ? 2 : 1 }, () => this.rule(wall, isDay));
    const rdate = () => this.date('RDATE', random.roll(2) === 0 ? date() : later(date(), 90), isDay, true);
    const lines = [
      ...[`UID:${uid}`, `DTSTART${at(wall)}`],
      ...(random.roll(4) === 0 ? [] : [random.pick(length)]),
      ...rules.map((rule) => `RRULE:${rule}`),
      ...sometimes(3, () => this.date('EXDATE', date(), isDay)),
      ...sometimes(3, () => this.date('EXDATE', date(), isDay)),
      ...sometimes(3, rdate),
      ...(rules.length === 0 ? [rdate()] : []),
      ...sometimes(8, () => `EXRULE:FREQ=WEEKLY;COUNT=${1 + random.roll(4)}`),
    ];
    const changes = random.roll(3) === 0 ? this.changes(uid, date(), isDay, at) : [];
    const event = ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];
    return random.roll(4) === 0 ? [...changes, ...event] : [...event, ...changes];
  }

  /** Components that change dates; also two revisions of one. */
  private changes(uid: string, date: string, isDay: boolean, at: (time: string) => string): string[] {
    const { random } = this;
    const id = this.date('RECURRENCE-ID', date, isDay);
    const isRange = random.roll(4) === 0;
    const moved = isDay ? 1440 : random.pick([0, 30, 1440, 2925]);
    const starts = [`DTSTART${at(later(date, moved))}`, ...(isDay ? [] : [`DTSTART${this.tzid()}:${date}`])];
    const change = (sequence: number) => [
      ...['BEGIN:VEVENT', `UID:${uid}`, `SEQUENCE:${sequence}`],
      isRange ? id.replace('RECURRENCE-ID', 'RECURRENCE-ID;RANGE=THISANDFUTURE') : id,
      ...random.pick([
        [random.pick(starts), isDay ? 'DURATION:P1D' : 'DURATION:PT20M'],
        [starts[0] ?? ''],
        [],
      ]),
      ...random.pick([[], [], ['STATUS:CANCELLED']]),
      'END:VEVENT',
    ];
    return random.roll(3) === 0 ? [...change(random.roll(3)), ...change(random.roll(3))] : change(0);
  }

  private rule(wall: string, isDay: boolean): string {
    const { random } = this;
    const frequency = random.pick([
      'DAILY',
      'DAILY',
      'WEEKLY',
      'MONTHLY',
      'YEARLY',
      ...(isDay ? [] : ['HOURLY']),
    ]);
    const weekdays = () => random.some(1 + random.roll(3), WEEKDAYS).join(',');
    const parts: Readonly<Record<string, readonly (() => string)[]>> = {
      HOURLY: [() => '', () => ';INTERVAL=5', () => ';BYMINUTE=0,30'],
      DAILY: [() => '', () => ';INTERVAL=3', () => `;BYDAY=${weekdays()}`, () => ';BYHOUR=1,2,3'],
      WEEKLY: [
        () => '',
        () => ';INTERVAL=2',
        () => `;BYDAY=${weekdays()}`,
        () => `;INTERVAL=2;WKST=SU;BYDAY=${weekdays()}`,
      ],
      MONTHLY: [() => '', () => ';BYMONTHDAY=-1', () => ';BYDAY=-1SU', () => ';BYDAY=2SA,2SU'],
      YEARLY: [() => '', () => ';BYMONTH=3,10;BYDAY=-1SU', () => ';BYMONTH=3;BYMONTHDAY=27,28'],
    };
    const end = later(wall, 1440 * (5 + random.roll(40)) + random.pick([0, 0, -1, 60]));
    const ends = [
      `;COUNT=${1 + random.roll(25)}`,
      `;COUNT=${1 + random.roll(25)}`,
      `;UNTIL=${end.slice(0, 8)}`,
      ...(isDay ? [] : [`;UNTIL=${end}`]),
      `;UNTIL=${later(isDay ? `${end}T000000` : end, -random.pick(OFFSETS))}Z`,
    ];
    return `FREQ=${frequency}${random.pick(parts[frequency] ?? [])()}${random.pick(ends)}`;
  }

  /** A property with a date: in a zone of its own, in UTC by one of many offsets, floating or a day. */
  private date(name: string, wall: string, isDay: boolean, mayBePeriod = false): string {
    const { random } = this;
    const utc = () => `:${later(isDay ? `${wall}T000000` : wall, -random.pick(OFFSETS))}Z`;
    const day = () => `;VALUE=DATE:${wall.slice(0, 8)}`;
    if (isDay) return `${name}${random.pick([day, day, utc, () => `:${wall}T000000`])()}`;
    const zoned = () => `${this.tzid()}:${wall}`;
    const list = () => `${zoned()}, ${later(wall, 1440)}`;
    const floating = () => `;value=date-time:${wall}`;
    const lists = name === 'RECURRENCE-ID' ? [zoned] : [zoned, list];
    const value = random.pick([utc, utc, day, floating, ...lists])();
    if (!mayBePeriod || /DATE|,|date/.test(value) || random.roll(3) > 0) return `${name}${value}`;
    const last = value.endsWith('Z') ? `${later(value.slice(1, -1), 90)}Z` : later(wall, 1500);
    return `${name};VALUE=PERIOD${value}/${random.pick(['PT2H', 'P1D', last])}`;
  }

  private tzid(): string {
    const name = this.random.pick([...this.described, ...this.described, this.random.pick(NAMED)]);
    return `;TZID=${/[,:;]/.test(name) ? `"${name}"` : name}`;
  }
}

/** A date or a time some minutes later, by the clock on the wall. */
function later(wall: string, minutes: number): string {
  const [, year, month, day, hour = '00', minute = '00'] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d))?/.exec(wall) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`) + minutes * 60_000;
  const text = new Date(time).toISOString().replace(/[-:]|\.\d+Z/g, '');
  return wall.includes('T') ? text : text.slice(0, 8);
}
