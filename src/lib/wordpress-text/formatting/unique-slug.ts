const MAX_LENGTH = 200;
const TRASHED = '__trashed';

const FEEDS: ReadonlySet<string> = new Set(['feed', 'rdf', 'rss', 'rss2', 'atom', 'embed']);
const KEEP_SLUG: ReadonlySet<string> = new Set(['draft', 'pending', 'auto-draft']);
const ENCODED_CHARACTER =
  /%f[0-7](?:%[89ab][0-9a-f]){3}|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%[cd][0-9a-f]%[89ab][0-9a-f]|%[0-9a-f]{2}|[\s\S]/giu;
const MARKS = /\p{M}/gu;

/** The fields of a post that decide about its slug. */
export interface SlugInput {
  slug: string;
  status: string;
  type: string;
}

/** Whether a post's slug need not be unique: empty, or unpublished. */
export function keepsSlug({ slug, status }: SlugInput): boolean {
  return slug === '' || KEEP_SLUG.has(status);
}

/** The post type within which the slug of a new post must be unique, in any status; undefined for all types. */
export function slugScope({ type }: SlugInput): string | undefined {
  return type === 'attachment' ? undefined : type;
}

/** Whether a slug would shadow a feed and always gets a number. */
export function isReservedSlug(slug: string): boolean {
  return FEEDS.has(slug);
}

/** Yields candidate slugs, best first, in growing batches, each for one query; reserved ones from 2 on. */
export function* slugCandidates(slug: string, reserved = false): Generator<string[], never> {
  let batch = reserved ? [] : [slug];
  for (let number = 2, size = 10; ; size *= 10) {
    while (batch.length < size) batch.push(numberedSlug(slug, number++));
    yield batch;
    batch = [];
  }
}

/** The first candidate that equals no stored slug, ignoring case and accents as the column does. */
export function firstFreeSlug(candidates: readonly string[], stored: Iterable<string>): string | undefined {
  const taken = new Set([...stored].map(slugKey));
  return candidates.find((candidate) => !taken.has(slugKey(candidate)));
}

/** The best free candidate when all relevant stored slugs are known. */
export function uniqueSlug(slug: string, stored: Iterable<string>): string {
  const known = [...stored];
  const batches = slugCandidates(slug);
  for (;;) {
    const free = firstFreeSlug(batches.next().value, known);
    if (free !== undefined) return free;
  }
}

/** The comparison key of a slug: equal for slugs that the column's collation considers equal. */
export function slugKey(slug: string): string {
  return slug.normalize('NFD').replace(MARKS, '').toLowerCase();
}

/** Appends `-number`, truncating the slug between characters to fit the column. */
export function numberedSlug(slug: string, number: number): string {
  const suffix = `-${number}`;
  return cutSlug(slug, MAX_LENGTH - suffix.length) + suffix;
}

/** The slug of a trashed post, which frees its old one. */
export function trashedSlug(slug: string): string {
  return slug.endsWith(TRASHED) ? slug : cutSlug(slug, MAX_LENGTH - TRASHED.length) + TRASHED;
}

/** The slug that a post had before the trash; WordPress numbers equal ones. */
export const untrashedSlug = (slug: string): string => slug.replace(/__trashed(-\d+)?$/, '');

/** Truncates a slug to `maxLength` bytes, never within a percent-encoded character and without a trailing `-`. */
export function cutSlug(slug: string, maxLength: number): string {
  if (slug.length <= maxLength) return slug;
  let cut = '';
  for (const [character] of slug.matchAll(ENCODED_CHARACTER)) {
    if (cut.length + character.length > maxLength) break;
    cut += character;
  }
  return cut.replace(/-+$/, '');
}
