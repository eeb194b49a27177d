import { instantText } from '../wordpress/dates/instant-text.js';
import { contextOf } from './check-context.js';
import { makeCheck } from './make-check.js';
import { RestArg, stacked } from './rest-arg.js';

const IsInstant = makeCheck(
  'isInstant',
  "must be ISO 8601, such as 2026-11-21T10:00:00Z; without an offset it is on the site's clock.",
  (value, values) =>
    typeof value === 'string' && instantText(value, contextOf(values).settings.zone) !== undefined,
  { format: 'date-time' },
);

/** `modified_after` or `modified_before` of a list of posts (docs/behaviour/additions.md#changes-since). */
export const InstantArg = (description: string): PropertyDecorator =>
  stacked(RestArg({ ours: true, type: 'string', description }), IsInstant());
