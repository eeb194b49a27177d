import type { EditorTexts } from '../../src/pages/texts/editor-en.js';
import { fillPlural } from '../../src/pages/texts/fill.js';

const page = document.documentElement;

/** The texts of the editor in the language of the page. */
export const TEXTS: EditorTexts = JSON.parse(document.getElementById('texts')?.textContent ?? '{}');

const isOfPage = (tag: string) => tag.split('-', 1)[0] === page.lang.split('-', 1)[0];

/** The language tag of dates and numbers: that of the browser where it speaks the page's language, as regions differ. */
export const LOCALE: string = navigator.languages.find(isOfPage) ?? page.lang;

/** The form of a text for a number, as in `one:{n} event|other:{n} events`. */
export const plural = (text: string, n: number, values?: Readonly<Record<string, string | number>>): string =>
  fillPlural(LOCALE, text, n, values);
