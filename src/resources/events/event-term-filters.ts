import { Transform } from 'class-transformer';
import { type CheckContext, getContext, type TransformParams } from '../../http/params/check-context.js';
import { filterItems, itemsOf, scalarText } from '../../http/params/fields.js';
import { makeCheck } from '../../http/params/make-check.js';
import { RestArg } from '../../http/params/rest-arg.js';
import { truncate } from '../../lib/truncate.js';
import { sanitizeTitle } from '../../lib/wordpress-text/formatting/sanitize-title.js';
import { termIdOf } from '../../wordpress/terms/term-record.js';
import { withDescendants } from '../../wordpress/terms/terms.service.js';
import type { TermType } from '../base/resource.js';

/**
 * Declares a filter by terms, each named by id, slug or name. The value becomes the `term_taxonomy_id`s of these terms
 * and their descendants; names that are not slugs match nothing.
 */
export const TermFilterArg = (kind: TermType, description: string): PropertyDecorator =>
  RestArg(
    { items: 'integer', description },
    AreTermsOf(kind),
    Transform(({ value, obj }: TransformParams) =>
      value === undefined ? undefined : idsOf(kind, value, getContext(obj)),
    ),
  );

const AreTermsOf = (kind: TermType): PropertyDecorator =>
  makeCheck('areTermsOf', 'must name at least one term.', async (value, values) => {
    const items = filterItems(value);
    if (items.length === 0) return false;
    const { terms, named } = await candidates(kind, items, getContext(values));
    const names = new Set([...terms.values()].map((term) => term.name.toLowerCase()));
    // As recorded, the check takes the absolute value of a negative number, the filter the number itself.
    const isNumber = (item: string) => terms.has(Math.abs(termIdOf(item) ?? 0));
    const unknown = items.find((item) => !named(item) && !isNumber(item) && !names.has(item.toLowerCase()));
    return unknown === undefined || `names a term that does not exist: ${truncate(unknown, 100)}.`;
  })();

async function idsOf(kind: TermType, value: unknown, context: CheckContext): Promise<number[]> {
  const items = effectiveItems(value);
  const { terms, named } = await candidates(kind, items, context);
  const found = items.flatMap((item) => named(item)?.id ?? []);
  return withDescendants(terms, found);
}

/**
 * The items that the filter applies, which differ from the checked ones, as recorded: a text is not decoded again
 * (`20%2C21` counts as 20), and only the first item of a sparse list or map counts.
 */
function effectiveItems(value: unknown): string[] {
  if (typeof value === 'string')
    return value.split(',').map((item) => item.trim().replace(/^(\d+)%.*$/s, '$1'));
  const items = itemsOf(value).map(scalarText);
  return Array.isArray(value) ? items : items.slice(0, 1);
}

/** Loads the terms that items may name, with a look-up by slug first, then id (docs/behaviour/lists.md#filters-by-term). */
async function candidates(
  { taxonomy, hierarchical }: TermType,
  items: string[],
  { lookups, settings }: CheckContext,
) {
  const { locale } = settings.render;
  // Trees are loaded whole, because filters include descendants; tags may be many.
  const terms = await (hierarchical
    ? lookups.taxonomy(taxonomy)
    : lookups.termsNamed(taxonomy, items, locale));
  const bySlug = new Map([...terms.values()].map((term) => [term.slug, term]));
  const named = (item: string) =>
    bySlug.get(sanitizeTitle(item, { locale })) ?? terms.get(termIdOf(item) ?? 0);
  return { terms, named };
}
