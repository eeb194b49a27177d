import {
  asInteger,
  asString,
  canWriteBack,
  isTruthy,
  PhpFloat,
  serialize,
  unserialize,
} from '../../src/lib/wordpress-text/php-serialize.js';

describe('php serialize', () => {
  it.each([
    'd:0.1;',
    'd:1.0E+25;',
    'd:1.0E-7;',
    'd:3822804125.5652;',
    'd:INF;',
    'd:-0;',
    'd:2;',
    'a:2:{i:-3;s:0:"";s:2:"07";d:-1.25;}',
  ])('round-trips %j', (text) => expect(canWriteBack(text)).toBe(true));

  it.each([
    '',
    'x',
    'i:1',
    'i:1;i:2;',
    's:5:"abc";',
    's:1:"ä";',
    'b:2;',
    'a:1:{i:0;R:1;}',
    'O:8:"stdClass":0:{}',
    'C:1:"A":0:{}',
    'a:1:{a:0:{}i:1;}',
    'a:2:{i:0;i:1;}',
    'a:999999999:{',
    'a:1:{i:0;'.repeat(100_000),
    '['.repeat(100_000),
    ' '.repeat(100_000),
  ])('rejects %#', (text) => expect(unserialize(text)).toBeUndefined());

  it('distinguishes floats from integers', () => {
    expect(unserialize('d:2;')).toEqual(new PhpFloat(2));
    expect(serialize(new PhpFloat(2))).toBe('d:2;');
  });

  it('reports values that do not round-trip', () => {
    for (const text of ['i:9223372036854775807;', 'i:007;', 'a:1:{s:1:"1";N;}', ' i:1;'])
      expect([text, unserialize(text) === undefined, canWriteBack(text)]).toEqual([text, false, false]);
  });

  it('casts as PHP does', () => {
    const values = [
      null,
      true,
      false,
      12,
      '12abc',
      ' 7',
      'x',
      new PhpFloat(1.5),
      new Map(),
      new Map([[0, 1]]),
    ];
    expect(values.map((value) => asInteger(value))).toEqual([0, 1, 0, 12, 12, 7, 0, 1, 0, 1]);
    expect(values.map((value) => asString(value))).toEqual([
      '',
      '1',
      '',
      '12',
      '12abc',
      ' 7',
      'x',
      '1.5',
      '',
      '',
    ]);
    expect(['', '0', '0.0', ' ', 0, new PhpFloat(0), new Map()].map((value) => isTruthy(value))).toEqual([
      false,
      false,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
