import { TEXTS } from '../../src/pages/calendar/texts/texts.js';

const fieldsIn = (text: string) => text.match(/\{\w+\}/g)?.sort();

describe('texts of the calendar page', () => {
  it.each(Object.keys(TEXTS))('has a text for each English one, with the same fields, in %s', (language) => {
    const texts = TEXTS[language] ?? {};
    expect(Object.keys(texts)).toEqual(Object.keys(TEXTS.en));
    for (const [name, english] of Object.entries(TEXTS.en)) {
      const text = Reflect.get(texts, name);
      expect(text).toMatch(/\S/);
      expect([name, fieldsIn(text)]).toEqual([name, fieldsIn(english)]);
    }
  });
});
