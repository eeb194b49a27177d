import { EDITOR_EN, type EditorTexts } from './editor-en.js';
import { languageOf, textsByLanguage } from './read-translations.js';

type AreaTexts = Readonly<Record<string, string>>;

const AREAS = Object.entries<AreaTexts>(EDITOR_EN).map(([area, english]) => {
  return { area, english, textsOf: textsByLanguage(english, new URL(`editor/${area}.tsv`, import.meta.url)) };
});

/** Whether the editor and the page at `/` speak the language of a WordPress locale, such as `de_DE_formal`. */
export const isTranslated = (locale: string): boolean =>
  languageOf(locale) === 'en' || AREAS.every(({ english, textsOf }) => textsOf(locale) !== english);

/** Texts of the editor in a language, such as `de-DE`; English ones by default. */
export function editorTexts(lang: string): EditorTexts {
  const texts = AREAS.map(({ area, textsOf }) => [area, textsOf(lang)]);
  return Object.fromEntries(texts);
}
