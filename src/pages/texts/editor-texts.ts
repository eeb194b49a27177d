import { EDITOR_EN, type EditorTexts } from './editor-en.js';
import { readTranslations } from './read-translations.js';

type AreaTexts = Readonly<Record<string, string>>;

const AREAS = Object.entries<AreaTexts>(EDITOR_EN).map(([area, english]) => {
  return {
    area,
    english,
    translations: readTranslations<AreaTexts>(new URL(`editor/${area}.tsv`, import.meta.url)),
  };
});

/** Whether the editor speaks the language of a WordPress locale, such as `de_DE_formal`. */
export const isTranslated = (locale: string): boolean =>
  AREAS.every(({ translations }) => translations[locale.split(/[_-]/, 1)[0] ?? ''] !== undefined);

/** Texts of the editor in a language, such as `de-DE`; those without a translation are English. */
export function editorTexts(lang: string): EditorTexts {
  const language = lang.split('-', 1)[0] ?? '';
  const texts = AREAS.map(({ area, english, translations }) => [
    area,
    { ...english, ...translations[language] },
  ]);
  return Object.fromEntries(texts);
}
