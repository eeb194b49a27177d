import { DE } from './de.js';
import { EN, type Texts } from './en.js';
import { ES } from './es.js';
import { FR } from './fr.js';
import { IT } from './it.js';
import { NL } from './nl.js';
import { PT } from './pt.js';

/** Texts by language. */
export const TEXTS: { en: Texts } & Readonly<Record<string, Texts>> = {
  en: EN,
  de: DE,
  fr: FR,
  es: ES,
  it: IT,
  nl: NL,
  pt: PT,
};
