import { readFileSync } from 'node:fs';

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
