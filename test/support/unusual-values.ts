/** A seeded pseudo-random generator. */
export class SeededRandom {
  constructor(private state: number) {}

  /** A whole number from 0 to `sides` - 1. */
  roll(sides: number): number {
    // mulberry32
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * sides);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.roll(items.length)] as T;
  }

  /** A sample of the items without repetition. */
  some<T>(count: number, items: readonly T[]): T[] {
    const rest = [...items];
    return Array.from({ length: Math.min(count, rest.length) }, () =>
      rest.splice(this.roll(rest.length), 1),
    ).flat();
  }

  /** Up to 40 random bytes, each percent-encoded. */
  bytes(): string {
    return Array.from(
      { length: 1 + this.roll(40) },
      () => `%${this.roll(256).toString(16).padStart(2, '0')}`,
    ).join('');
  }
}

const encoded = [
  '🎉 ünï\u0130\u00df',
  "' OR 1=1 -- ",
  '"`;DROP TABLE x',
  '100%_|\\',
  '<script>alert(1)</script>',
  '{"a":[1]}',
  '[1,2]',
  '../../etc/passwd',
  ' 1 ',
  '+1',
  '\r\nX-Injected: 1',
].map(encodeURIComponent);

const numbers = [
  ...['0', '-1', '1.5', '1e3', '1e400', '-1e400', '.5', '5.', '0x10', '1_000', 'NaN', 'Infinity', '-0'],
  ...[
    '2147483648',
    '9007199254740993',
    '9223372036854775808',
    '-9223372036854775809',
    '18446744073709551616',
  ],
  '9'.repeat(400),
];

const dates = [
  ...['now', 'tomorrow', '2091-02-30', '0000-00-00', '9999-12-31%2023:59:59', '-271821-04-20', '@1e99'],
  ...[
    '@99999999999999999999',
    '%2B99999999999%20years',
    '-9999999%20weekdays',
    '2091-03-01T10:00:00%2B99:99',
  ],
  ...[
    'last%20day%20of',
    'monday%20'.repeat(500),
    '1%20'.repeat(2000),
    'first%20monday%20of%20june%202091%20EST',
  ],
];

const bytes = [
  '%00',
  'a%00b',
  '%ff%fe',
  '%c0%80',
  '%ed%a0%80',
  '%f4%90%80%80',
  '%',
  '%zz',
  '%e0%a4%a',
  '%u0041',
];

const words = [
  '',
  'true',
  'false',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  'toString',
  'publish',
  'any',
];

const long = [
  'a'.repeat(12_000),
  '%3C'.repeat(4000),
  '%5B'.repeat(4000),
  '1,'.repeat(6000),
  ','.repeat(9000),
];

/** Percent-encoded values that break careless parsers. */
export const UNUSUAL_VALUES: readonly string[] = [
  ...encoded,
  ...numbers,
  ...dates,
  ...bytes,
  ...words,
  ...long,
];

/** JSON texts of parameter values. */
export const UNUSUAL_JSON: readonly string[] = [
  ...[
    'null',
    'true',
    '0',
    '-0.0',
    '1.5',
    '1e999',
    '9007199254740993',
    '""',
    '"\\u0000"',
    '"\\ud800"',
    '[]',
    '{}',
  ],
  ...['[[1]]', '[null]', '[{}]', '[true,"a",1]', '{"a":[]}', '{"__proto__":1}', '{"length":2}'],
  ...['{"toString":1,"valueOf":1}', '[{"toString":null}]', '{"then":1}', '{"constructor":{"prototype":{}}}'],
  `${'['.repeat(400)}${']'.repeat(400)}`,
];

/** Ways to encode a parameter's name and value in a query. */
export const SHAPES: readonly ((name: string, value: string) => string)[] = [
  (name, value) => `${name}=${value}`,
  (name, value) => `${name}[]=${value}`,
  (name, value) => `${name}[]=1&${name}[]=${value}`,
  (name, value) => `${name}[a]=${value}`,
  (name, value) => `${name}[a][b][]=${value}`,
  (name, value) => `${name}[__proto__][x]=${value}`,
  (name, value) => `${name}%5B2%5D=${value}&${name}%5B0%5D=1`,
  (name, value) => `${name}=1&${name}=${value}`,
  (name, value) => `${name}[]=1&${name}=${value}`,
  (name, value) => `${name}=${value}&${name}[x]=1`,
  (name, value) => `${name}[=${value}`,
  (name, value) => `${name}]=${value}`,
  (name, value) => `${name}[a=${value}`,
  (name, value) => `${name}[a]b[c]=${value}`,
  (name, value) => `%20${name}=${value}`,
  (name, value) => `${name}%00x=${value}`,
  (name, value) => `${name}${'[a]'.repeat(100)}=${value}`,
  (name, value) => `${name}`.concat('&=', value, '&&&=&[]=1'),
];

/** A record of each kind on the recorded site, so that requests pass routing. */
export const KNOWN_RECORDS: Readonly<Record<string, readonly [id: string, slug: string]>> = {
  events: ['53', 'opening-night'],
  venues: ['9', 'town-hall'],
  organizers: ['35', 'jane-doe'],
  categories: ['3', ''],
  tags: ['20', ''],
};
