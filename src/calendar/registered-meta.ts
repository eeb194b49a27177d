import type { ThemeSupport } from '../lib/wordpress-text/formatting/render-context.js';
import { sanitizeTextField } from '../lib/wordpress-text/formatting/sanitize.js';

// With a block theme the calendar registers metas of events with WordPress, which then casts their values on every write
// (docs/behaviour/storage.md#registered-meta).

/** A flag as it is stored: `1` or `''` where it is registered, else in the words of its writer. */
export function registeredFlag(
  isSet: boolean,
  theme: ThemeSupport,
  words: { set: string; unset: string },
): string {
  if (theme === 'block') return isSet ? '1' : '';
  return isSet ? words.set : words.unset;
}

/** A sanitized text as it is stored: one trimmed line where it is registered. */
export function registeredText(text: string, theme: ThemeSupport): string {
  return theme === 'block' ? sanitizeTextField(text) : text;
}
