import type { MetaWriter } from './meta-writer.js';

/** A published post remembers the slugs it had, so that old links find it. */
export function noteOldSlug(before: string, after: string, meta: MetaWriter): void {
  if (before === after) return;
  if (before !== '' && !meta.get('_wp_old_slug').includes(before)) meta.add('_wp_old_slug', before);
  meta.remove('_wp_old_slug', after);
}

/** A published post remembers the days it was dated, for links that hold a date. */
export function noteOldDate(before: string, after: string, meta: MetaWriter): void {
  const [was, is] = [before.slice(0, 10), after.slice(0, 10)];
  if (was === is) return;
  if (!meta.get('_wp_old_date').includes(was)) meta.add('_wp_old_date', was);
  meta.remove('_wp_old_date', is);
}
