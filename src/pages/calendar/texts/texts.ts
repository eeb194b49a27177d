import { readFileSync } from 'node:fs';
import { EN, type Texts } from './en.js';

/** Texts by language; the translations are a table with one column per language. */
export const TEXTS: { en: Texts } & Readonly<Record<string, Texts>> = { en: EN, ...translations() };

function translations(): Record<string, Texts> {
  const table = readFileSync(new URL('translations.tsv', import.meta.url), 'utf8');
  const [[, ...languages] = [], ...rows] = table
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  const textsOf = (column: number) =>
    Object.fromEntries(rows.map(([name, ...texts]) => [name, texts[column]]));
  return Object.fromEntries(languages.map((language, column) => [language, textsOf(column)]));
}
