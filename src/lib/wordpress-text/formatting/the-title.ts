import { capitalPDangit } from './capital-p-dangit.js';
import { convertChars } from './convert-chars.js';
import { phpTrim } from './php-trim.js';
import { wptexturize } from './wptexturize.js';

/** The displayed form of a stored title in the site's language, trimmed; HTML in it stays as it is. */
export function theTitle(raw: string, locale: string): string {
  return capitalPDangit(phpTrim(convertChars(wptexturize(raw, locale))), 'the_title');
}
