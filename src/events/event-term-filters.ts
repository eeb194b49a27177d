import { CATEGORY } from '../categories/category-type.js';
import type { TermType } from '../event-terms/term-type.js';
import type { CheckContext } from '../http/check-context.js';
import { filterItems, itemsOf, scalarText } from '../http/fields.js';
import type { Check } from '../http/rest-arg.js';
import { TAG } from '../tags/tag-type.js';
import { sanitizeTitle } from '../wordpress/formatting/sanitize-title.js';
import type { TermRecord } from '../wordpress/terms/term-record.js';
import { withDescendants } from '../wordpress/terms/terms.service.js';

type Terms = ReadonlyMap<number, TermRecord>;

const isId = (item: string): boolean => /^\d{1,15}$/.test(item);

/** The term that a filter's item names: by slug first, then by id (docs/behaviour/lists.md#filters-by-term). */
function named(terms: Terms, bySlug: ReadonlyMap<string, TermRecord>, item: string, locale: string) {
  return bySlug.get(sanitizeTitle(item, { locale })) ?? (isId(item) ? terms.get(Number(item)) : undefined);
}

/**
 * The items that the filter goes by, which are not always those that were checked, as recorded: a text is not decoded once
 * more (of `20%2C21` the number that it begins with counts), and of a list with gaps or of a map only the first item does.
 */
function effectiveItems(value: unknown): string[] {
  if (typeof value === 'string')
    return value.split(',').map((item) => item.trim().replace(/^(\d+)%.*$/s, '$1'));
  const items = itemsOf(value).map(scalarText);
  return Array.isArray(value) ? items : items.slice(0, 1);
}

function indexed(terms: Terms): ReadonlyMap<string, TermRecord> {
  return new Map([...terms.values()].map((term) => [term.slug, term]));
}

async function candidates(
  { taxonomy, hierarchical }: TermType,
  items: string[],
  { lookups, settings }: CheckContext,
): Promise<Terms> {
  // A tree is read whole, because filters include what is below; tags may be many.
  if (hierarchical) return lookups.taxonomy(taxonomy);
  return lookups.termsNamed(taxonomy, items, settings.render.locale);
}

function exists(kind: TermType): Check {
  return async (value, context) => {
    const items = filterItems(value);
    if (items.length === 0) return 'must name at least one term.';
    const terms = await candidates(kind, items, context);
    const bySlug = indexed(terms);
    const names = new Set([...terms.values()].map((term) => term.name.toLowerCase()));
    const unknown = items.find(
      (item) => !named(terms, bySlug, item, context.settings.render.locale) && !names.has(item.toLowerCase()),
    );
    return unknown === undefined || `names a term that does not exist: ${unknown.slice(0, 100)}.`;
  };
}

async function resolved(
  kind: TermType,
  value: unknown,
  context: CheckContext,
): Promise<number[] | undefined> {
  if (value === undefined) return undefined;
  const items = effectiveItems(value);
  const terms = await candidates(kind, items, context);
  const bySlug = indexed(terms);
  const found = items.flatMap((item) => named(terms, bySlug, item, context.settings.render.locale)?.id ?? []);
  return withDescendants(terms, found);
}

/** Every item is a category: by id, slug or name. */
export const categoryFilter = exists(CATEGORY);
/** Every item is a tag: by id, slug or name. */
export const tagFilter = exists(TAG);
/** `term_taxonomy_id`s of the categories and of everything below them; names that are no slug match nothing. */
export const parseCategories = (value: unknown, context: CheckContext) => resolved(CATEGORY, value, context);
/** `term_taxonomy_id`s of the tags. */
export const parseTags = (value: unknown, context: CheckContext) => resolved(TAG, value, context);
