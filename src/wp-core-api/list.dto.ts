import { Transform } from 'class-transformer';
import { getContext, type TransformParams } from '../http/params/check-context.js';
import { IsOneOf } from '../http/params/checks.js';
import { listItems } from '../http/params/fields.js';
import { PageArg } from '../http/params/list-args.js';
import { makeCheck } from '../http/params/make-check.js';
import { RestArg } from '../http/params/rest-arg.js';
import { instantText } from '../lib/wordpress-text/dates/convert.js';
import { isWhole } from '../lib/wordpress-text/formatting/php-number.js';

/** Detail of the response: `embed` is the least, `edit` is for editors. */
export type View = (typeof VIEWS)[number];

const VIEWS = ['view', 'embed', 'edit'] as const;

const IsView = makeCheck('isView', `must be one of ${VIEWS.join(', ')}.`, (value) =>
  VIEWS.some((view) => view === value),
);

/** The common parameters of all routes. */
export class CoreQuery {
  @RestArg({ type: 'string', default: 'view', description: 'How much is shown: view, embed or edit.' })
  @IsView({ context: { code: 'rest_not_in_enum' } })
  context: View;
}

/** Parameters of `/taxonomies`. */
export class TaxonomiesQuery extends CoreQuery {
  @RestArg({ type: 'string', description: 'Only taxonomies of this post type.' })
  type?: string;
}

/** Maximum records per page. */
const MAX_PER_PAGE = 100;
const MAX_SEARCH_LENGTH = 1600;

const IN_ENUM = { context: { code: 'rest_not_in_enum' } };

const IsPageSize = makeCheck(
  'isPageSize',
  `must be a whole number from 1 to ${MAX_PER_PAGE}.`,
  (value) => isWhole(value) && Number(value) >= 1 && Number(value) <= MAX_PER_PAGE,
);

const IsOffset = makeCheck(
  'isOffset',
  'must be a whole number, at least 0.',
  (value) => isWhole(value) && Number(value) >= 0,
);

const IsCoreSearch = makeCheck(
  'isCoreSearch',
  `must be a text of at most ${MAX_SEARCH_LENGTH} characters.`,
  (value) => typeof value === 'string' && value.length <= MAX_SEARCH_LENGTH,
);

const AreIds = makeCheck('areIds', 'must be a list of ids.', (value) =>
  listItems(value).every((item) => isWhole(item) && Number(item) >= 0),
);

const AreWords = makeCheck('areWords', 'must be a list of slugs.', (value) =>
  listItems(value).every((item) => item !== '\0'),
);

const IsDateTime = makeCheck(
  'isDateTime',
  "must be ISO 8601, such as 2026-11-21T10:00:00; without an offset it is on the site's clock.",
  (value, values) =>
    typeof value === 'string' && instantText(value, getContext(values).settings.zone) !== undefined,
);

/** Declares a list of ids; an empty one is undefined. */
export const IdsArg = (description: string): PropertyDecorator =>
  RestArg(
    { items: 'integer', description },
    AreIds(),
    Transform(({ value }: TransformParams) => {
      const ids = value === undefined ? [] : listItems(value).map(Number);
      return ids.length > 0 ? ids.map((id) => Math.min(id, Number.MAX_SAFE_INTEGER)) : undefined;
    }),
  );

/** Declares an enumeration, matched exactly. */
export const EnumArg = (
  description: string,
  words: readonly string[],
  defaultValue?: string,
  ...below: readonly PropertyDecorator[]
): PropertyDecorator =>
  RestArg(
    { type: 'string', description, ...(defaultValue !== undefined && { default: defaultValue }) },
    IsOneOf(words)(IN_ENUM),
    ...below,
  );

/** Declares the sort direction, `asc` or `desc`. */
export const DirectionArg = (defaultValue: 'asc' | 'desc'): PropertyDecorator =>
  EnumArg(
    'Sort direction: asc or desc.',
    ['asc', 'desc'],
    defaultValue,
    Transform(({ value }: TransformParams) => (value === 'desc' ? 'DESC' : 'ASC')),
  );

/** Declares an ISO 8601 time, converted to UTC. */
const DateTimeArg = (description: string): PropertyDecorator =>
  RestArg(
    { type: 'string', description },
    IsDateTime(),
    Transform(({ value, obj }: TransformParams) =>
      typeof value === 'string' ? instantText(value, getContext(obj).settings.zone) : undefined,
    ),
  );

/** Parameters of every list in `wp/v2`, also of users. */
export class CorePageQuery extends CoreQuery {
  @PageArg() page: number;
  @RestArg({ type: 'integer', default: 10, description: `How many per page, at most ${MAX_PER_PAGE}.` })
  @IsPageSize({ context: { code: 'rest_out_of_bounds' } })
  per_page: number;
  @RestArg({ type: 'integer', description: 'How many to skip, instead of a page.' })
  @IsOffset()
  offset?: number;
  @RestArg({ type: 'string', description: 'Text to search for.' })
  @IsCoreSearch()
  @Transform(({ value }: TransformParams) => (value === '' ? undefined : value))
  search?: string;
  @IdsArg('Ids to leave out.') exclude?: number[];
  @IdsArg('Only these ids.') include?: number[];
}

/** Parameters of every list of posts and terms in `wp/v2`. */
export class CoreListQuery extends CorePageQuery {
  @RestArg({ items: 'string', description: 'Only those with one of these slugs.' })
  @AreWords()
  @Transform(({ value }: TransformParams) => {
    const slugs = value === undefined ? [] : listItems(value);
    return slugs.length > 0 ? slugs : undefined;
  })
  slug?: string[];
  order: 'ASC' | 'DESC';
}

const ORDERS = ['author', 'date', 'id', 'include', 'modified', 'relevance', 'slug', 'title'] as const;

/** Parameters of every list of posts in `wp/v2`. */
export class CorePostListQuery extends CoreListQuery {
  @DirectionArg('desc') override order: 'ASC' | 'DESC';
  @EnumArg('What to sort by.', ORDERS, 'date') orderby: (typeof ORDERS)[number];
  @DateTimeArg('Published after this time.') after?: string;
  @DateTimeArg('Published before this time.') before?: string;
  @DateTimeArg('Changed after this time.') modified_after?: string;
  @DateTimeArg('Changed before this time.') modified_before?: string;
  @IdsArg('Only by these authors.') author?: number[];
  @IdsArg('By none of these authors.') author_exclude?: number[];
}
