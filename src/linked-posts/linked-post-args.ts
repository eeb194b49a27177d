import { Transform } from 'class-transformer';
import { contextOf, type Given } from '../http/check-context.js';
import { RestArg, stacked } from '../http/rest-arg.js';
import { DateArg, IsUrlOrEmpty, type Shown, toSiteDate, toUtcDate } from '../http/write-args.js';
import { fromUtc } from '../wordpress/dates/convert.js';
import { isTimestamp } from '../wordpress/dates/is-timestamp.js';
import { isTruthyWord } from '../wordpress/formatting/truthy-word.js';

// Declarations of fields that venues and organizers take alike
// (docs/behaviour/venues-and-organizers.md#fields-on-write).

/**
 * `date` of a write. Seconds are an instant here, shown on the site's clock; a text is that clock's own
 * (docs/behaviour/dates.md#publication-dates).
 */
export const SiteDateArg = (shown?: Shown): PropertyDecorator =>
  DateArg((given) => {
    const instant = isTimestamp(given.value) ? toUtcDate(given) : undefined;
    return instant === undefined ? toSiteDate(given) : fromUtc(instant, contextOf(given.obj).settings.zone);
  }, shown);

/** A text of any kind. */
export const TextArg = (description: string): PropertyDecorator =>
  RestArg({ type: 'string', shownDefault: null, description });

/** `website` of a write. */
export const WebsiteArg = (): PropertyDecorator =>
  stacked(TextArg('Address of its website; empty clears it.'), IsUrlOrEmpty());

/** A flag of a write. Flags are texts: JSON booleans are refused, as recorded. */
export const FlagTextArg = (description: string): PropertyDecorator =>
  stacked(
    TextArg(`${description}: "true" or "false".`),
    Transform(({ value }: Given) => (value === undefined ? undefined : isTruthyWord(value))),
  );

/** `slug` of an update by slug. */
export const NewSlugArg = (): PropertyDecorator =>
  RestArg({
    type: 'string',
    undeclared: true,
    description: 'New slug; empty makes one from the name.',
  });

/** Parameters of deleting a venue or organizer: none. */
export class DeleteLinkedPostQuery {}
