import { phpTrim } from './php-trim.js';
import { wpKses } from './wp-kses.js';

/** Sanitizes a title for storage: trimmed and, unless the author may write `unfiltered` HTML, inline HTML only. */
export function titleSavePre(text: string, unfiltered: boolean): string {
  const title = phpTrim(text);
  return unfiltered ? title : wpKses(title, 'data');
}
