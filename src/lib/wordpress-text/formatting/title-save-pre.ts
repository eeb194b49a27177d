import { phpTrim } from './php-trim.js';
import { wpKses } from './wp-kses.js';

/** A title as it is stored: trimmed, and without `unfiltered` (the author's capability) down to inline HTML. */
export function titleSavePre(text: string, unfiltered: boolean): string {
  const title = phpTrim(text);
  return unfiltered ? title : wpKses(title, 'data');
}
