import { capitalPDangit } from './capital-p-dangit.js';
import { convertChars } from './convert-chars.js';
import { phpTrim } from './php-trim.js';
import { wptexturize } from './wptexturize.js';

/** Renders a stored title, trimmed; HTML in it stays. */
export function theTitle(raw: string, locale: string): string {
  return capitalPDangit(phpTrim(convertChars(wptexturize(raw, locale))), 'the_title');
}
