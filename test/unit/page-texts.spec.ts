import { TEXTS } from '../../src/pages/texts/calendar-texts.js';
import { editorTexts } from '../../src/pages/texts/editor-texts.js';
import { fillPlural } from '../../src/pages/texts/fill.js';
import { homeTexts } from '../../src/pages/texts/home-texts.js';
import { publicTexts } from '../../src/pages/texts/public-texts.js';

const LANGUAGES = 'de fr es it nl pt ar'.split(' ');

/** The names in braces; of a text with plural forms, those of its form for most numbers. */
function fieldsIn(text: string): readonly string[] {
  const form = text.split('|').find((one) => one.startsWith('other:')) ?? text;
  return (form.match(/\{\w+\}/g) ?? []).sort();
}

/** Texts of a page with the names of their areas, and whether a text has plural forms. */
function flat(texts: object, prefix = ''): [name: string, text: string][] {
  return Object.entries(texts).flatMap(([name, value]) => {
    return typeof value === 'string' ? [[`${prefix}${name}`, value]] : flat(value, `${prefix}${name}.`);
  });
}

describe.each([
  { page: 'calendar', of: (language: string) => TEXTS[language] ?? {} },
  { page: 'editor', of: editorTexts },
  { page: 'public pages', of: publicTexts },
  { page: 'page at /', of: homeTexts },
])('texts of the $page', ({ of }) => {
  it.each(LANGUAGES)('has a text for each English one, with the same fields, in %s', (language) => {
    const english = new Map(flat(of('en')));
    const texts = flat(of(language));
    expect(texts.map(([name]) => name)).toEqual([...english.keys()]);
    for (const [name, text] of texts) {
      expect([name, text]).toEqual([name, expect.stringMatching(/\S/)]);
      expect([name, fieldsIn(text)]).toEqual([name, fieldsIn(english.get(name) ?? '')]);
    }
  });

  it.each(LANGUAGES)('has a form for each plural category of whole numbers in %s', (language) => {
    const plurals = flat(of(language)).filter(([, text]) => /^\w+:/.test(text) && text.includes('|'));
    const categories = new Set(
      [0, 1, 2, 3, 5, 11, 100, 103].map((n) => new Intl.PluralRules(language).select(n)),
    );
    for (const [name, text] of plurals) {
      const forms = text.split('|').map((form) => form.slice(0, form.indexOf(':')));
      expect([name, [...categories].filter((category) => !forms.includes(category))]).toEqual([name, []]);
    }
  });
});

describe('a text with plural forms', () => {
  it('takes the form of its number', () => {
    const forms = 'one:{n} event of {site}|other:{n} events of {site}';
    expect(fillPlural('en', forms, 1, { site: 'Ours' })).toBe('1 event of Ours');
    expect(fillPlural('en', forms, 1200, { site: 'Ours' })).toBe('1,200 events of Ours');
  });

  it('takes the form `other` where a language has more categories than the text', () => {
    expect(fillPlural('ar', 'one:a {n}|other:b {n}', 3)).toMatch(/^b /);
  });

  it('is a text for all numbers without forms', () => {
    expect(fillPlural('de', '{n} Termine', 5)).toBe('5 Termine');
  });
});
