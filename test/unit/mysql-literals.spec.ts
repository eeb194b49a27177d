import { formatStatement } from '../../src/database/mysql-pool.js';

describe('bound values of a statement', () => {
  it.each<[unknown, string]>([
    ["it's", "'it''s'"],
    [String.raw`\' OR 1=1 #`, String.raw`'\\'' OR 1=1 #'`],
    ['"? %_é😀', `'"? %_é😀'`],
    ['', "''"],
    [0, '0'],
    [-1.5, '-1.5'],
    [2n ** 64n, '18446744073709551616'],
    [true, 'true'],
    [null, 'NULL'],
    [undefined, 'NULL'],
    [Buffer.from("'\\"), "X'275c'"],
    [new Date(0), "'1970-01-01 00:00:00.000'"],
  ])('are escaped: %p', (value, text) => {
    expect(formatStatement('SELECT ?, 1', [value])).toBe(`SELECT ${text}, 1`);
  });

  it('replace their placeholders in order; a placeholder in a value is text', () => {
    expect(formatStatement('? ? ?', ['?', "$&'", 3])).toBe(`'?' '$&''' 3`);
    expect(formatStatement('SELECT ?', [])).toBe('SELECT ?');
  });

  it.each([{ a: 1 }, [['a']], Number.NaN, new Date(Number.NaN), Symbol('a')])('never are %p', (value) => {
    expect(() => formatStatement('SELECT ?', [value])).toThrow(TypeError);
  });
});
