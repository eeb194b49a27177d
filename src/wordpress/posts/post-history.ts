import type { MetaWriter } from './meta-writer.js';

/** Records the old slug of a published post, so that old links find it. */
export function recordOldSlug(before: string, after: string, meta: MetaWriter): void {
  if (before === after) return;
  if (before !== '' && !meta.get('_wp_old_slug').includes(before)) meta.add('_wp_old_slug', before);
  meta.remove('_wp_old_slug', after);
}

/** Records the old day of a published post, for links with a date. */
export function recordOldDate(before: string, after: string, meta: MetaWriter): void {
  const [was, is] = [before.slice(0, 10), after.slice(0, 10)];
  if (was === is) return;
  if (!meta.get('_wp_old_date').includes(was)) meta.add('_wp_old_date', was);
  meta.remove('_wp_old_date', is);
}
