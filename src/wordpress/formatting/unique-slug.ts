const MAX_LENGTH = 200;
const TRASHED = '__trashed';

const FEEDS: ReadonlySet<string> = new Set(['feed', 'rdf', 'rss', 'rss2', 'atom', 'embed']);
const KEEP_SLUG: ReadonlySet<string> = new Set(['draft', 'pending', 'auto-draft']);
const ENCODED_CHARACTER =
  /%f[0-7](?:%[89ab][0-9a-f]){3}|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%[cd][0-9a-f]%[89ab][0-9a-f]|%[0-9a-f]{2}|[\s\S]/giu;
const MARKS = /\p{M}/gu;

/** A post that wants a slug. */
export interface SlugWish {
  slug: string;
  status: string;
  type: string;
  parent: number;
}

/**
 * Which other posts may not have the same slug: of these types (null: of any), and below this parent (null:
 * any).
 */
export interface SlugScope {
  types: readonly string[] | null;
  parent: number | null;
}

/** Whether a post keeps its slug as it is: without a slug, unpublished, or a revision. */
export function keepsSlug({ slug, status, type }: SlugWish): boolean {
  return slug === '' || KEEP_SLUG.has(status) || type === 'revision';
}

/** The posts, in any status, among which the slug of a new post has to be unique. */
export function slugScope({ type, parent }: SlugWish): SlugScope {
  if (type === 'attachment') return { types: null, parent: null };
  if (type === 'page') return { types: ['page', 'attachment'], parent };
  return { types: [type], parent: null };
}

/** Whether a slug would shadow a feed, a page number or a date archive, so that it always gets a number. */
export function isReservedSlug({ slug, type }: SlugWish, permalinkStructure: string): boolean {
  if (FEEDS.has(slug)) return true;
  if (type === 'page') return /^page\d+$/.test(slug);
  return type === 'post' && /^\d+$/.test(slug) && looksLikeDate(Number(slug), permalinkStructure);
}

/**
 * The slugs to try, best first, in growing batches: ask the database once per batch which of them exist,
 * then call `firstFreeSlug`. A reserved slug starts with its number 2.
 */
export function* slugCandidates(slug: string, reserved = false): Generator<string[], never> {
  let batch = reserved ? [] : [slug];
  for (let number = 2, size = 10; ; size *= 10) {
    while (batch.length < size) batch.push(numberedSlug(slug, number++));
    yield batch;
    batch = [];
  }
}

/** The first candidate that none of the stored slugs equals, ignoring case and accents as the column does. */
export function firstFreeSlug(candidates: readonly string[], stored: Iterable<string>): string | undefined {
  const taken = new Set([...stored].map(slugKey));
  return candidates.find((candidate) => !taken.has(slugKey(candidate)));
}

/** The best free candidate when all stored slugs that matter are at hand. */
export function uniqueSlug(slug: string, stored: Iterable<string>, reserved = false): string {
  const known = [...stored];
  const batches = slugCandidates(slug, reserved);
  for (;;) {
    const free = firstFreeSlug(batches.next().value, known);
    if (free !== undefined) return free;
  }
}

/** What slugs that the column takes for equal have in common. */
export function slugKey(slug: string): string {
  return slug.normalize('NFD').replace(MARKS, '').toLowerCase();
}

/** The slug with `-number`, cut between characters so that it fits into the column. */
export function numberedSlug(slug: string, number: number): string {
  const suffix = `-${number}`;
  return cutSlug(slug, MAX_LENGTH - suffix.length) + suffix;
}

/** The slug of a trashed post, which sets its old one free. */
export function trashedSlug(slug: string): string {
  return slug.endsWith(TRASHED) ? slug : cutSlug(slug, MAX_LENGTH - TRASHED.length) + TRASHED;
}

/**
 * The slug in at most `maxLength` bytes; no percent-encoded character is cut, no `-` stays at the end of the
 * cut.
 */
export function cutSlug(slug: string, maxLength: number): string {
  if (slug.length <= maxLength) return slug;
  let cut = '';
  for (const [character] of slug.matchAll(ENCODED_CHARACTER)) {
    if (cut.length + character.length > maxLength) break;
    cut += character;
  }
  return cut.replace(/-+$/, '');
}

/** In `/%year%/%postname%/` the number 11 would be a month, in `/%postname%/` any number a year. */
function looksLikeDate(number: number, permalinkStructure: string): boolean {
  const tags = permalinkStructure.split('/').filter((part) => part !== '');
  const at = tags.indexOf('%postname%');
  if (at === 0) return true;
  if (tags[at - 1] === '%year%') return number >= 1 && number <= 12;
  return tags[at - 1] === '%monthnum%' && number >= 1 && number <= 31;
}
