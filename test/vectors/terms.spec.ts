import {
  preTermDescription,
  preTermName,
  preTermSlug,
} from '../../src/lib/wordpress-text/formatting/sanitize.js';
import {
  firstFreeSlug,
  isReservedSlug,
  keepsSlug,
  numberedSlug,
  type SlugInput,
  slugCandidates,
  slugScope,
  trashedSlug,
} from '../../src/lib/wordpress-text/formatting/unique-slug.js';
import { cleanTermInput, planTermInsert } from '../../src/wordpress/terms/plan-term-insert.js';
import { loadVectors, proveVectors } from '../support/vectors.js';

interface SlugRow {
  in: { slug: string; post_status: string; post_type: string };
  args: { existing: Array<[string, string]> };
  out: string;
}

/** Post types that the server creates. */
const CREATED_TYPES = /^(?:tribe_|attachment)/;

function uniquePostSlug(input: SlugInput, existing: SlugRow['args']['existing']): string | undefined {
  if (keepsSlug(input)) return input.slug;
  const scope = slugScope(input);
  const stored = existing.filter(([, type]) => type === (scope ?? type)).map(([slug]) => slug);
  for (const candidates of slugCandidates(input.slug, isReservedSlug(input.slug))) {
    const free = firstFreeSlug(candidates, stored);
    if (free !== undefined) return free;
  }
}

interface TermRow {
  in: { name: string; slug?: string; parent?: number; taxonomy: string };
  args: { existing: Array<{ name: string; slug: string; taxonomy: string; parent?: number }> };
  out: { error: string; data: unknown } | { name: string; slug: string; parent: string; description: string };
}

/** Ids start at 900 in the recording; the only term named by its id has `NEW_ID`. */
const FIRST_ID = 900;
const NEW_ID = 914;

function insertTerm({ in: raw, args }: TermRow) {
  const existing = args.existing.map((term, i) => ({ id: FIRST_ID + i, parent: 0, ...term }));
  const input = cleanTermInput(raw, 'en_US');
  if ('error' in input) return input;
  const plan = planTermInsert(input, {
    hierarchical: raw.taxonomy === 'tribe_events_cat',
    terms: existing.filter((term) => term.taxonomy === raw.taxonomy),
    slugs: existing.map((term) => term.slug),
  });
  if ('error' in plan) return plan;
  return {
    name: input.name,
    slug: plan.slug || String(NEW_ID),
    parent: String(input.parent),
    description: '',
  };
}

describe('unique slugs and terms', () => {
  proveVectors(
    'wp_unique_post_slug',
    loadVectors<SlugRow[]>('wp_unique_post_slug').filter((row) => CREATED_TYPES.test(row.in.post_type)),
    ({ in: post, args, out }) => ({
      expected: out,
      actual: uniquePostSlug(
        { slug: post.slug, status: post.post_status, type: post.post_type },
        args.existing,
      ),
    }),
  );
  proveVectors('wp_insert_term', loadVectors<TermRow[]>('wp_insert_term'), (row) => {
    const { out } = row;
    if (!('error' in out)) return { expected: out, actual: insertTerm(row) };
    const termId = typeof out.data === 'number' ? { termId: out.data } : {};
    return { expected: { error: out.error, ...termId }, actual: insertTerm(row) };
  });
  proveVectors(
    'sanitize_term',
    loadVectors<
      Array<{
        in: string;
        pre_term_name: string;
        pre_term_description: string;
        pre_term_slug: string;
        sanitize_term_db_name: string;
      }>
    >('sanitize_term'),
    (row) => ({
      expected: [row.pre_term_name, row.sanitize_term_db_name, row.pre_term_description, row.pre_term_slug],
      actual: [
        preTermName(row.in),
        preTermName(row.in),
        preTermDescription(row.in),
        preTermSlug(row.in, 'en_US'),
      ],
    }),
  );

  it('truncate long slugs between characters', () => {
    const day = '%e6%97%a5';
    expect(numberedSlug(day.repeat(22), 100)).toBe(`${day.repeat(21)}-100`);
    expect(numberedSlug(`${'a'.repeat(197)}-bc`, 2)).toBe(`${'a'.repeat(197)}-2`);
    expect(trashedSlug('a')).toBe('a__trashed');
    expect(trashedSlug('a__trashed')).toBe('a__trashed');
    expect(trashedSlug('b'.repeat(200))).toBe(`${'b'.repeat(191)}__trashed`);
  });

  it('try more candidates when all of a batch are taken', () => {
    const batches = slugCandidates('a');
    expect(batches.next().value.slice(0, 3)).toEqual(['a', 'a-2', 'a-3']);
    expect(batches.next().value[0]).toBe('a-11');
    expect(batches.next().value[0]).toBe('a-111');
  });

  it('append the slugs of all ancestors before numbers', () => {
    const terms = [
      { id: 1, name: 'Root', slug: 'root', parent: 0 },
      { id: 2, name: 'Child', slug: 'child', parent: 1 },
      { id: 3, name: 'X', slug: 'x', parent: 0 },
      { id: 4, name: 'Y', slug: 'x-child', parent: 0 },
    ];
    const input = { name: 'X', slug: 'x', slugGiven: false, parent: 2 };
    expect(planTermInsert(input, { hierarchical: true, terms, slugs: [] })).toEqual({ slug: 'x-child-root' });
  });
});
