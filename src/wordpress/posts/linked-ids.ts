import { compareLoosely } from '../../lib/wordpress-text/formatting/php-number.js';
import { asInteger, asMap, unserialize } from '../../lib/wordpress-text/php-serialize.js';
import type { MetaWriter } from './meta-writer.js';
import { firstMeta, type PostRecord } from './post-record.js';

/** The ids of linked records in a meta key, in row order with duplicates; a row may be a serialised list. */
export function linkedIds(post: Pick<PostRecord, 'meta'>, key: string): number[] {
  return (post.meta.get(key) ?? []).flatMap(idsIn);
}

/**
 * The record linked by the first row of a meta key: false when it is not visible, undefined without a link. Values not
 * greater than 0 in PHP (`''`, `0`, `-1`) are no link; a word is.
 */
export function firstLink<T extends { id: number }>(
  post: Pick<PostRecord, 'meta'>,
  key: string,
  visible: readonly T[],
): T | false | undefined {
  const row = firstMeta(post, key) ?? '';
  if (compareLoosely(row, '0') <= 0) return undefined;
  const [id] = idsIn(row);
  return visible.find((record) => record.id === id) ?? false;
}

/** The id in `_thumbnail_id`, else 0. */
export function thumbnailId(post: Pick<PostRecord, 'meta'>): number {
  return Number.parseInt(post.meta.get('_thumbnail_id')?.[0] ?? '', 10) || 0;
}

/** Writes the featured image: undefined keeps it, 0 removes it. */
export function writeThumbnail(meta: MetaWriter, { imageId }: { imageId?: number }): void {
  if (imageId === 0) meta.remove('_thumbnail_id');
  else if (imageId !== undefined) meta.set('_thumbnail_id', String(imageId));
}

function idsIn(row: string): number[] {
  const ids = row.startsWith('a:')
    ? [...asMap(unserialize(row)).values()].map(asInteger)
    : [Number.parseInt(row, 10)];
  return ids.filter((id) => id > 0);
}
