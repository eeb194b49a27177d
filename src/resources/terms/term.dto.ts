import { Transform } from 'class-transformer';
import { EVENT_POST_TYPE } from '../../calendar/event-post-type.js';
import { getContext, type TransformParams } from '../../http/params/check-context.js';
import { IsNonEmptyText, IsPostOf, IsSearchText } from '../../http/params/checks.js';
import { filterItems, scalarText } from '../../http/params/fields.js';
import { MAX_LENGTH } from '../../http/params/limits.js';
import { FormatArg, PageArg, PerPageArg } from '../../http/params/list-args.js';
import { makeCheck } from '../../http/params/make-check.js';
import { BodyExample, RestArg } from '../../http/params/rest-arg.js';
import { MAX_TERM_NAME_LENGTH } from '../../lib/wordpress-text/formatting/sanitize.js';
import { sanitizeTitle } from '../../lib/wordpress-text/formatting/sanitize-title.js';
import type { TextToClean } from '../../wordpress/rendering/cleaning.service.js';
import type { TermOrder } from '../../wordpress/terms/terms.service.js';

const ORDERS: ReadonlyMap<string, TermOrder> = new Map(
  Object.entries({
    id: 'id',
    term_id: 'id',
    term_order: 'id',
    // All terms of a list have the same taxonomy (R11).
    none: 'taxonomy',
    name: 'name',
    slug: 'slug',
    term_group: 'term_group',
    description: 'description',
    count: 'count',
    parent: 'parent',
    taxonomy: 'taxonomy',
    term_taxonomy_id: 'term_taxonomy_id',
    include: 'include',
  } satisfies Record<string, TermOrder>),
);

/** Checks that every item is the id, slug or name of a term. */
const AreExistingTerms = (taxonomy: string): PropertyDecorator =>
  makeCheck('areExistingTerms', 'names a term that does not exist.', async (value, values) => {
    const items = filterItems(value);
    if (items.length === 0) return 'must name at least one term.';
    const { lookups, settings } = getContext(values);
    const { locale } = settings.render;
    const terms = [...(await lookups.termsNamed(taxonomy, items, locale)).values()];
    const ids = new Set(terms.map(({ id }) => String(id)));
    const slugs = new Set(terms.map(({ slug }) => slug));
    const names = new Set(terms.map(({ name }) => name.toLowerCase()));
    return items.every(
      (item) => ids.has(item) || slugs.has(sanitizeTitle(item, { locale })) || names.has(item.toLowerCase()),
    );
  })();

function toIds({ value }: TransformParams): number[] | undefined {
  const items = value === undefined ? [] : filterItems(value);
  const ids = items.filter((item) => /^\d+$/.test(item)).map(Number);
  return ids.length > 0 ? ids : undefined;
}

/** Declares `exclude` or `include`; slugs pass the check but have no effect, as recorded. */
export const TermIdsArg = (taxonomy: string, description: string): PropertyDecorator =>
  RestArg(
    { items: 'integer', insertBefore: 'order', description },
    AreExistingTerms(taxonomy),
    Transform(toIds),
  );

const EventArg = (): PropertyDecorator =>
  RestArg({ type: 'integer', description: 'Only terms of this event.' }, IsPostOf(EVENT_POST_TYPE, 'event'));

const VIEWS = { type: 'string', enum: ['view', 'edit', 'embed'], default: 'view' };

/** Parameters of a list of categories or tags; subclasses declare those that depend on the taxonomy. */
export class ListTermsQuery {
  @FormatArg() _format?: string;
  @PageArg() page: number;
  @PerPageArg() per_page: number;
  @RestArg({ type: 'string', description: 'Text in name or slug.' })
  @IsSearchText()
  search?: string;
  exclude?: number[];
  include?: number[];
  @RestArg({
    type: 'string',
    description: 'Sort direction: asc or desc.',
    schema: { enum: ['asc', 'desc'], default: 'asc' },
  })
  @IsNonEmptyText()
  @Transform(({ value }: TransformParams) => (/^asc$/i.test(String(value ?? 'asc')) ? 'ASC' : 'DESC'))
  order?: 'ASC' | 'DESC';
  @RestArg({
    type: 'string',
    description: 'What to sort by: id, name, slug, term_group, description, count, parent or include.',
    schema: { enum: [...ORDERS.keys()], default: 'name' },
  })
  @IsNonEmptyText()
  @Transform(({ value }: TransformParams) => ORDERS.get(scalarText(value)) ?? 'name')
  orderby?: TermOrder;
  @RestArg({
    type: 'boolean',
    default: true,
    documentedDefault: '1',
    description: 'Leave out terms that no post has.',
  })
  hide_empty?: boolean;
  parent?: number;
  @EventArg() post?: number;
  @EventArg() event?: number;
  @RestArg({ type: 'string', description: 'Only the term with this slug.' })
  @IsNonEmptyText()
  slug?: string;
  offset?: number;
  @RestArg({ undeclared: true, description: 'view, edit or embed.', schema: VIEWS })
  context?: unknown;
  @RestArg({ undeclared: true, description: 'Members to keep.' })
  _fields?: unknown;
}

/** Parameters that reduce or extend the response for one term. */
export class TermView {
  @RestArg({ undeclared: true, description: 'Members to keep.' })
  _fields?: unknown;
  @RestArg({
    undeclared: true,
    description: 'Links whose records to put into the answer: up.',
    schema: { type: 'string' },
  })
  _embed?: unknown;
}

/** Parameters of a single term. */
export class GetTermQuery extends TermView {
  @FormatArg() _format?: string;
  @RestArg({ undeclared: true, description: 'view, edit or embed.', schema: VIEWS })
  context?: unknown;
}

/** Fields of a create or update of a term; undefined was not sent. */
@BodyExample({ description: 'Where there is something to take part in.' })
export class WriteTermDto extends TermView {
  @RestArg({
    type: 'string',
    description: `Name, at most ${MAX_TERM_NAME_LENGTH} characters.`,
    schema: { maxLength: MAX_TERM_NAME_LENGTH },
  })
  @IsNonEmptyText()
  name?: string;
  @RestArg({
    type: 'string',
    maxLength: MAX_LENGTH.text,
    description: 'Description; may hold inline tags.',
  })
  @IsNonEmptyText()
  description?: string;
  @RestArg({ type: 'string', description: 'Slug; made from the name when absent.' })
  @IsNonEmptyText()
  slug?: string;
  /** Id of the parent, in hierarchical taxonomies only. */
  parent?: number;
}

/** The texts of a write that are cleaned before it takes the lock. */
export function textsOf({ name, description }: WriteTermDto): TextToClean[] {
  return [
    ['termName', name],
    ['termDescription', description],
  ];
}
