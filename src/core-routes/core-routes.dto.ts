import { IsOneOf, IsSearchText } from '../http/checks.js';
import { PageArg } from '../http/list-args.js';
import { makeCheck } from '../http/make-check.js';
import { RestArg } from '../http/rest-arg.js';
import { isWhole } from '../wordpress/formatting/php-number.js';

/** How much is shown: `embed` the least, `edit` what only who may change it sees. */
export type View = (typeof VIEWS)[number];

const VIEWS = ['view', 'embed', 'edit'] as const;

const IsView = makeCheck('isView', `must be one of ${VIEWS.join(', ')}.`, (value) =>
  VIEWS.some((view) => view === value),
);

/** What every route here takes. */
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

/** Most files on a page. */
const MOST_FILES = 100;

const IsMediaType = IsOneOf(['image']);

const IsPageSize = makeCheck(
  'isPageSize',
  `must be a whole number from 1 to ${MOST_FILES}.`,
  (value) => isWhole(value) && Number(value) >= 1 && Number(value) <= MOST_FILES,
);

/** Parameters of `/media`. */
export class ListMediaQuery extends CoreQuery {
  @PageArg() page: number;
  @RestArg({ type: 'integer', default: 10, description: `How many per page, at most ${MOST_FILES}.` })
  @IsPageSize()
  per_page: number;
  @RestArg({ type: 'string', description: 'Text in title or file name.' })
  @IsSearchText()
  search?: string;
  @RestArg({ type: 'string', description: 'Only files of this kind.' })
  @IsMediaType()
  media_type?: string;
}
