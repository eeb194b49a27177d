import { serialize } from 'node:v8';
import { phpJson, phpJsonChunks } from '../../src/http/php-json.js';
import { SerializedJson, textOf } from '../../src/http/serialized-response.js';

const LONG = 40_000;
const TEXTS = ['', 'a', '/', '"', '\\', '\n', 'é', '漢', '😀', '\ud800', '\u007f', '<', '\u2028'];
const longTexts = TEXTS.filter((text) => text !== '').map((text) => text.repeat(LONG));
const events = Array.from({ length: 3000 }, (_, id) => ({ id, title: `Nr. ${id}`, 'ü"/': [id, null, {}] }));

const values: [string, unknown][] = [
  ['a small value', { a: [1, 'x', null, true, {}, []], b: undefined, 'é/': '\n' }],
  ['a bare long text', 'a/é'.repeat(LONG)],
  ['long texts in a list', longTexts],
  ['a long text whose pairs are cut apart', { odd: `x${'😀'.repeat(LONG)}`, even: '😀'.repeat(LONG) }],
  ['long texts deep inside', { a: { b: [{ c: [longTexts[0], 1] }, 'x'] }, d: longTexts[7], e: {}, f: [] }],
  ['members without a value', { a: undefined, b: longTexts[0], c: undefined, d: [undefined, longTexts[0]] }],
  ['many small members', { events, total: 3000 }],
];

describe('JSON in chunks', () => {
  it.each(values)('equals JSON in one string: %s', async (_, value) => {
    for (const pretty of [false, true])
      expect((await phpJsonChunks(value, pretty)).map(textOf).join('')).toBe(phpJson(value, pretty));
  });

  it('takes one byte per character in the cache, whatever it was built from', () => {
    const json = phpJson({ title: 'é漢😀', text: 'plain '.repeat(LONG) });
    const serialized = new SerializedJson(json);
    expect(serialized.json).toBe(json);
    expect(serialize(serialized.json).length).toBeLessThan(json.length * 1.01);
  });

  it('yields to the event loop', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    await phpJsonChunks(Array.from({ length: 200 }, () => '漢'.repeat(LONG)));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });
});
