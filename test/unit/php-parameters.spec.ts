import { decodeFormText, decodePercent, parsePhpParameters } from '../../src/http/params/php-parameters.js';

/** Plain objects instead of prototype-less ones, so that they compare. */
const parsed = (text: string): unknown => JSON.parse(JSON.stringify(parsePhpParameters(text)));

describe("PHP's parameters", () => {
  it.each([
    ['', {}],
    ['a=1', { a: '1' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['=1', {}],
    ['&&a=1&', { a: '1' }],
    ['a=1=2', { a: '1=2' }],
    ['a=1&a=2', { a: '2' }],
    ['a+b=c+d', { a_b: 'c d' }],
    ['a.b=1', { a_b: '1' }],
    ['%20a=1', { a: '1' }],
    ['a%00b=1', { a: '1' }],
    ['a%5B%5D=1&a%5B%5D=2', { a: ['1', '2'] }],
  ])('are parsed: %s', (text, expected) => {
    expect(parsed(text)).toEqual(expected);
  });

  it.each([
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a[0]=1&a[1]=2', { a: ['1', '2'] }],
    ['a[1]=1&a[2]=2', { a: { 1: '1', 2: '2' } }],
    ['a[5]=1&a[]=2', { a: { 5: '1', 6: '2' } }],
    ['a[x]=1&a[y][z]=2', { a: { x: '1', y: { z: '2' } } }],
    ['a[][b]=1&a[][b]=2', { a: [{ b: '1' }, { b: '2' }] }],
    ['a=1&a[]=2', { a: ['2'] }],
    ['a[]=1&a=2', { a: '2' }],
    ['a[x]=1&a[x][y]=2', { a: { x: { y: '2' } } }],
    ['a[x.y z]=1', { a: { 'x.y z': '1' } }],
    ['[a]=1', {}],
    ['a[b=1', { a_b: '1' }],
    ['a]=1', { 'a]': '1' }],
    ['a[b]c=1', { a: { b: '1' } }],
    ['a[b]c[d]=1', { a: { b: '1' } }],
    ['a[b][c=1', { a: { b: '1' } }],
  ])('are nested by brackets: %s', (text, expected) => {
    expect(parsed(text)).toEqual(expected);
  });

  it('keep names with a meaning in JavaScript', () => {
    const parameters = parsePhpParameters('__proto__=1&constructor=2&a[__proto__][x]=3');
    expect(Object.keys(parameters)).toEqual(['__proto__', 'constructor', 'a']);
    expect(Object.keys(parameters['a'] as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('are limited to a thousand and to 64 levels', () => {
    const many = Array.from({ length: 1500 }, (_, index) => `a${index}=1`).join('&');
    expect(Object.keys(parsePhpParameters(many))).toHaveLength(1000);
    expect(parsed(`a${'[x]'.repeat(64)}=1`)).toEqual({});
    expect(parsed(`a${'[x]'.repeat(63)}=1`)).toHaveProperty('a.x.x.x');
  });

  it('are parsed in linear time', () => {
    for (const text of [
      '['.repeat(1e5),
      `a${'['.repeat(1e5)}=1`,
      '&'.repeat(1e5),
      `a=${'%'.repeat(1e5)}`,
      'a[]'.repeat(1e5),
    ]) {
      const begun = performance.now();
      parsePhpParameters(text);
      expect(performance.now() - begun).toBeLessThan(20_000);
    }
  });

  it('are decoded where possible', () => {
    expect(decodeFormText('a+b%2Bc%20d')).toBe('a b+c d');
    expect(decodePercent('a+b%2B')).toBe('a+b+');
    expect(decodeFormText('%E2%82%AC %zz % %4')).toBe('€ %zz % %4');
    expect(decodeFormText('é%ff%fe')).toBe('é??');
  });
});
