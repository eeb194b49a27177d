import type { RecurrenceLanguage } from '../recurrence/recurrence-text.js';
import type { Texts } from '../texts/calendar-en.js';
import { TEXTS } from '../texts/calendar-texts.js';
import { RECURRENCE_EN } from '../texts/recurrence-en.js';
import { RECURRENCE_TEXTS } from '../texts/recurrence-texts.js';
import { dateFormat, type TimeStyle } from './shown-time.js';

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

/** How the option `time_format` has hours; without them as the language of a tag does. */
export function hoursOf(timeFormat: string | undefined, tag: string): Pick<TimeStyle, 'hour' | 'hour12'> {
  // A backslash precedes a plain letter, such as the h of 9 h 30.
  const letter = /[gGhH]/.exec((timeFormat ?? '').replace(/\\./gs, ''))?.[0];
  const isUsual = () => dateFormat(tag, { hour: 'numeric' }).resolvedOptions().hour12 ?? false;
  const hour12 = letter === undefined ? isUsual() : letter === letter.toLowerCase();
  return { hour: letter?.toLowerCase() === 'h' ? '2-digit' : 'numeric', hour12 };
}
