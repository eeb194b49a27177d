import type { View } from './wp-core-api.dto.js';

/** The date as stored, without a zone; null for a zero date. */
export const isoDate = (date: string): string | null =>
  date.startsWith('0000') ? null : date.replace(' ', 'T');

/** Restores the final line break of WordPress, which rendered texts lack here. */
export const paragraphs = (html: string | undefined): string => (html ? `${html}\n` : '');

/** The rendered text, and the stored one with `context=edit`. */
export const viewedText = (view: View) => (raw: string, rendered: string) => ({
  ...(view === 'edit' && { raw }),
  rendered,
});
