import { readFileSync } from 'node:fs';

/** The language of a tag or a WordPress locale: `de` of `de-DE` and of `de_DE_formal`. */
export const languageOf = (tag: string): string => tag.split(/[_-]/, 1)[0] ?? '';

/** Reads a table of texts; the result gives those of a language, such as `de-DE`, by default the English ones. */
export function textsByLanguage<Texts extends object>(english: Texts, file: URL): (lang: string) => Texts {
  const translations = readTranslations<Texts>(file);
  return (lang) => translations[languageOf(lang)] ?? english;
}

/** Reads a table of texts with one column per language. */
export function readTranslations<Texts>(file: URL): Record<string, Texts> {
  const [[, ...languages] = [], ...rows] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  const textsOf = (column: number) =>
    Object.fromEntries(rows.map(([name, ...texts]) => [name, texts[column]])) as Texts;
  return Object.fromEntries(languages.map((language, column) => [language, textsOf(column)]));
}
