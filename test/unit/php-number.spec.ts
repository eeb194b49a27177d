import { isNumeric, isWhole, toFloat } from '../../src/lib/wordpress-text/formatting/php-number.js';

describe('numbers as PHP reads them', () => {
  it.each([
    '0',
    '-1',
    '+1',
    '1.',
    '.5',
    '1.50',
    '1e3',
    '1E-3',
    '.5e+1',
    ' 1',
    '\t1 ',
    '1\n',
    '\v1\f',
    '\r\n1',
    7,
    -0.5,
  ])('include %j', (value) => expect(isNumeric(value)).toBe(true));

  it.each([
    '',
    ' ',
    '.',
    'e3',
    '1e',
    '0x1',
    '1,5',
    '1 2',
    '--1',
    '\u00a01',
    '1\u2003',
    '\ufeff1',
    '1\0',
    'NaN',
    'Infinity',
  ])('exclude %j', (value) => expect(isNumeric(value)).toBe(false));

  it.each([Number.NaN, Number.POSITIVE_INFINITY, null, undefined, true, ['1'], {}])('exclude %p', (value) =>
    expect(isNumeric(value)).toBe(false),
  );

  it('are integers when their value is whole', () => {
    expect([' 2.0', '2e1', 2].every(isWhole)).toBe(true);
    expect(['2.5', '\u00a02', '', 2.5, Number.NaN, true].some(isWhole)).toBe(false);
  });

  it('are read from the beginning of a text', () => {
    expect([' 12abc', '.5.5', '1e2x', 'x1', ''].map(toFloat)).toEqual([12, 0.5, 100, 0, 0]);
  });
});
