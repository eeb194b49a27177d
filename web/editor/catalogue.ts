import type { EditorCatalogue } from '../../src/pages/texts/editor-en.js';
import { fillPlural } from '../../src/pages/texts/fill.js';

const page = document.documentElement;

/** The texts of the editor in the language of the page. */
export const TEXTS: EditorCatalogue = JSON.parse(document.getElementById('texts')?.textContent ?? '{}');

const isOfPage = (tag: string) => tag.split('-', 1)[0] === page.lang.split('-', 1)[0];

/**
 * The language tag of dates and numbers: that of the browser where it speaks the page's language, as regions differ; with
 * the calendar of the inputs.
 */
export const LOCALE: string = new Intl.Locale(navigator.languages.find(isOfPage) ?? page.lang, {
  calendar: 'gregory',
}).toString();

/** The form of a text for a number, as in `one:{n} event|other:{n} events`. */
export const plural = (text: string, n: number, values?: Readonly<Record<string, string | number>>): string =>
  fillPlural(LOCALE, text, n, values);

/** Names of fields one after the other, as the page's language lists them. */
export const listOf = (names: readonly string[]): string =>
  new Intl.ListFormat(LOCALE, { type: 'unit', style: 'short' }).format(names);
