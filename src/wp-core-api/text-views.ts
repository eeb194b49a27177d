import type { View } from './wp-core-api.dto.js';

/** Without a zone, as it is stored; null for a date that nobody set. */
export const isoDate = (date: string): string | null =>
  date.startsWith('0000') ? null : date.replace(' ', 'T');

/** Rendered texts are kept without the line break that WordPress ends them with. */
export const paragraphs = (html: string | undefined): string => (html ? `${html}\n` : '');

/** A text as it is rendered, and with `context=edit` as it is stored. */
export const viewedText = (view: View) => (raw: string, rendered: string) => ({
  ...(view === 'edit' && { raw }),
  rendered,
});
