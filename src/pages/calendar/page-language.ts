import type { RecurrenceLanguage } from '../recurrence/recurrence-text.js';
import type { Texts } from '../texts/calendar-en.js';
import { TEXTS } from '../texts/calendar-texts.js';
import { RECURRENCE_EN } from '../texts/recurrence-en.js';
import { RECURRENCE_TEXTS } from '../texts/recurrence-texts.js';
import { dateFormat } from './shown-time.js';

const RIGHT_TO_LEFT = new Set('ar ary azb ckb dv fa haz he ps sd skr ug ur yi'.split(' '));

/** The language of a page with its direction and texts; English texts are the default. */
export interface PageLanguage {
  lang: string;
  /** Language tag of dates, with the Gregorian calendar. */
  tag: string;
  direction: 'ltr' | 'rtl';
  texts: Texts;
  /** Of rules; whole sentences are English where there is no translation. */
  recurrence: RecurrenceLanguage;
}

/** The language of a WordPress locale: `de_DE_formal` is `de-DE`. */
export function pageLanguage(locale: string): PageLanguage {
  const [, language = 'en', region] = /^([a-z]{2,3})(?:[_-]([A-Z]{2}))?(?![a-zA-Z])/.exec(locale) ?? [];
  const lang = region === undefined ? language : `${language}-${region}`;
  const isUsual = dateFormat(lang, {}).resolvedOptions().calendar === 'gregory';
  const tag = isUsual ? lang : `${lang}-u-ca-gregory`;
  const rules = RECURRENCE_TEXTS[language];
  return {
    lang,
    tag,
    direction: RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr',
    texts: { ...TEXTS.en, ...TEXTS[language] },
    recurrence: rules ? { tag, texts: rules } : { tag: 'en', texts: RECURRENCE_EN },
  };
}

/** Whether the option `time_format` uses a 12-hour clock; undefined if it has no hours. */
export function countsToTwelve(timeFormat: string | undefined): boolean | undefined {
  if (/[gh]/.test(timeFormat ?? '')) return true;
  return /[GH]/.test(timeFormat ?? '') ? false : undefined;
}
