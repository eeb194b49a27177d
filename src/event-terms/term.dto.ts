import { nonEmptyText, positiveInteger, postId, searchText } from '../http/checks.js';
import { filterItems, scalarText } from '../http/fields.js';
import { parsePerPage, shownPerPage } from '../http/list-args.js';
import { LONGEST } from '../http/limits.js';
import { type Check, RestArg } from '../http/rest-arg.js';
import { sanitizeTitle } from '../wordpress/formatting/sanitize-title.js';
import type { TermOrder } from '../wordpress/terms/terms.service.js';
import type { TermType } from './term-type.js';

/** Parameters of a list of categories or tags. */
export interface ListTermsQuery {
  page: number;
  per_page: number;
  search?: string;
  /** Ids only: slugs pass the check but take no effect, as recorded. */
  exclude?: number[];
  include?: number[];
  order: 'ASC' | 'DESC';
  orderby: TermOrder;
  hide_empty: boolean;
  parent?: number;
  post?: number;
  event?: number;
  slug?: string;
  offset?: number;
  context?: unknown;
  _fields?: unknown;
}

const ORDERS: ReadonlyMap<string, TermOrder> = new Map(
  Object.entries({
    id: 'id',
    term_id: 'id',
    term_order: 'id',
    none: 'id',
    name: 'name',
    slug: 'slug',
    term_group: 'term_group',
    description: 'description',
    count: 'count',
    parent: 'parent',
    taxonomy: 'taxonomy',
    term_taxonomy_id: 'term_taxonomy_id',
  } satisfies Record<string, TermOrder>),
);

/** Every item is a term of the taxonomy, by id, slug or name. */
function existingTerms(taxonomy: string): Check {
  return async (value, { lookups, settings }) => {
    const items = filterItems(value);
    if (items.length === 0) return 'must name at least one term.';
    const { locale } = settings.render;
    const terms = [...(await lookups.termsNamed(taxonomy, items, locale)).values()];
    const ids = new Set(terms.map(({ id }) => String(id)));
    const slugs = new Set(terms.map(({ slug }) => slug));
    const names = new Set(terms.map(({ name }) => name.toLowerCase()));
    return (
      items.every(
        (item) =>
          ids.has(item) || slugs.has(sanitizeTitle(item, { locale })) || names.has(item.toLowerCase()),
      ) || 'names a term that does not exist.'
    );
  };
}

const numericItems = (value: unknown): number[] | undefined => {
  const ids =
    value === undefined
      ? []
      : filterItems(value)
          .filter((item) => /^\d+$/.test(item))
          .map(Number);
  return ids.length > 0 ? ids : undefined;
};

/** The parameters class of `GET /tags`. */
export function listQueryOf({ taxonomy, many: plural }: TermType): new () => ListTermsQuery {
  class ListQuery implements ListTermsQuery {
    @RestArg({
      default: 1,
      type: 'integer',
      check: positiveInteger,
      description: 'The page of results to return.',
    })
    page: number;
    @RestArg({
      shownDefault: shownPerPage,
      type: 'integer',
      check: positiveInteger,
      parse: parsePerPage,
      description: `How many ${plural} per page, at most 50.`,
    })
    per_page: number;
    @RestArg({ type: 'string', check: searchText, description: 'Text in name or slug.' })
    search?: string;
    @RestArg({
      items: 'integer',
      check: existingTerms(taxonomy),
      parse: numericItems,
      description: 'Ids to leave out.',
    })
    exclude?: number[];
    @RestArg({
      items: 'integer',
      check: existingTerms(taxonomy),
      parse: numericItems,
      description: 'Only these ids.',
    })
    include?: number[];
    @RestArg({
      type: 'string',
      check: nonEmptyText,
      parse: (value) => (value === undefined || /^asc$/i.test(String(value)) ? 'ASC' : 'DESC'),
      description: 'Sort direction: asc or desc.',
    })
    order: 'ASC' | 'DESC';
    @RestArg({
      type: 'string',
      check: nonEmptyText,
      parse: (value) =>
        value === 'include' ? 'include' : (ORDERS.get(scalarText(value ?? 'name')) ?? 'name'),
      description: 'What to sort by: id, name, slug, term_group, description, count, parent or include.',
    })
    orderby: TermOrder;
    @RestArg({
      type: 'boolean',
      default: true,
      shownDefault: '1',
      description: 'Leave out terms that no post has.',
    })
    hide_empty: boolean;
    @RestArg({
      type: 'integer',
      check: postId('tribe_events', 'event'),
      description: 'Only terms of this event.',
    })
    post?: number;
    @RestArg({
      type: 'integer',
      check: postId('tribe_events', 'event'),
      description: 'Only terms of this event.',
    })
    event?: number;
    @RestArg({ type: 'string', check: nonEmptyText, description: 'Only the term with this slug.' })
    slug?: string;
    @RestArg({ undeclared: true, description: 'view, edit or embed.' })
    context?: unknown;
    @RestArg({ undeclared: true, description: 'Members to keep.' })
    _fields?: unknown;
  }
  return ListQuery;
}

/** What thins out or fills up the answer about one term. */
export class TermView {
  @RestArg({ undeclared: true, description: 'Members to keep.' })
  _fields?: unknown;
  @RestArg({ undeclared: true, description: 'Links whose records to put into the answer: up.' })
  _embed?: unknown;
}

/** Parameters of reading one term. */
export class GetTermQuery extends TermView {
  @RestArg({ undeclared: true, description: 'view, edit or embed.' })
  context?: unknown;
}

/** Fields of a term that a create or an update may send; undefined was not sent. */
export class WriteTermDto extends TermView {
  @RestArg({
    type: 'string',
    check: nonEmptyText,
    description: 'Name, at most 200 characters.',
  })
  name?: string;
  @RestArg({
    type: 'string',
    check: nonEmptyText,
    longest: LONGEST.text,
    description: 'Description; may hold inline tags.',
  })
  description?: string;
  @RestArg({ type: 'string', check: nonEmptyText, description: 'Slug; made from the name when absent.' })
  slug?: string;
  /** Id of the parent; only terms of a tree have one. */
  parent?: number;
}
