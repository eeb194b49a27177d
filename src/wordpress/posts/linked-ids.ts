import { asInteger, asMap, unserialize } from '../options/php-serialize.js';
import type { PostRecord } from './post-record.js';

/** Ids of linked records in a meta key, in row order, each once; a row may hold a serialised list of them. */
export function linkedIds(post: Pick<PostRecord, 'meta'>, key: string): number[] {
  const ids = (post.meta.get(key) ?? []).flatMap((value) =>
    value.startsWith('a:')
      ? [...asMap(unserialize(value)).values()].map(asInteger)
      : [Number.parseInt(value, 10)],
  );
  return [...new Set(ids.filter((id) => id > 0))];
}

/** The id in `_thumbnail_id`, 0 for none. */
export function thumbnailId(post: Pick<PostRecord, 'meta'>): number {
  return Number.parseInt(post.meta.get('_thumbnail_id')?.[0] ?? '', 10) || 0;
}
