import type { Type } from '@nestjs/common';
import type { TextCleaner } from '../../wordpress/posts/text-cleaner.js';
import type { MetaWriter } from '../../wordpress/posts/meta-writer.js';
import { type LinkedPostFields, metaTexts } from './linked-post-fields.js';

/** Writes the sent texts under their meta keys; '' clears a text. */
export function writeTexts(meta: MetaWriter, body: Type<object>, fields: object, cleaner: TextCleaner): void {
  for (const [key, text] of metaTexts(body, fields)) meta.set(key, cleaner.clean('line', text));
}

/** Writes the copies of columns that the plugin adds to the meta of a new record and never reads (W22). */
export function writeLegacyMeta(
  meta: MetaWriter,
  prefix: '_Venue' | '_Organizer',
  { author, date, date_utc, description }: LinkedPostFields,
  cleaner: TextCleaner,
  status?: string,
): void {
  if (author !== undefined) meta.add(`${prefix}post_author`, String(author));
  meta.add(`${prefix}post_date`, date ?? '').add(`${prefix}post_date_gmt`, date_utc ?? '');
  if (status !== undefined) meta.add(`${prefix}post_status`, status);
  if (description !== undefined) meta.add(`${prefix}Description`, cleaner.clean('line', description));
}
