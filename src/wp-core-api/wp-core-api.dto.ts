import { makeCheck } from '../http/params/make-check.js';
import { RestArg } from '../http/params/rest-arg.js';

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
