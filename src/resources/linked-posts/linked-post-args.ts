import { Transform } from 'class-transformer';
import { getContext, type TransformParams } from '../../http/params/check-context.js';
import { type ArgOptions, RestArg, applyDecorators } from '../../http/params/rest-arg.js';
import { DateArg, type DocumentedOptions, toSiteDate, toUtcDate } from '../../http/params/write-args.js';
import { Member, type MemberOptions } from '../base/member.js';
import { fromUtc } from '../../lib/wordpress-text/dates/convert.js';
import { isTimestamp } from '../../lib/wordpress-text/dates/is-timestamp.js';
import { isTruthyWord } from '../../lib/wordpress-text/formatting/truthy-word.js';

// Declarations of fields that venues and organizers take alike
// (docs/behaviour/venues-and-organizers.md#fields-on-write).

/**
 * `date` of a write. Seconds are an instant here, shown on the site's clock; a text is that clock's own
 * (docs/behaviour/dates.md#publication-dates).
 */
export const SiteDateArg = (shown?: DocumentedOptions): PropertyDecorator =>
  DateArg((given) => {
    const instant = isTimestamp(given.value) ? toUtcDate(given) : undefined;
    return instant === undefined ? toSiteDate(given) : fromUtc(instant, getContext(given.obj).settings.zone);
  }, shown);

/** What one text differs in from others. */
interface MetaTextOptions extends Pick<MemberOptions, 'kept' | 'searched'>, Pick<ArgOptions, 'insertBefore'> {
  /** What there is to say of the text as it is sent. */
  note?: string;
}

/**
 * A text of any kind that is the meta row with this key: how it is sent, stored, searched and, as stored, shown. What is
 * declared by it stands before the image.
 */
export const MetaTextArg = (
  meta: string,
  description: string,
  { note, insertBefore: before = 'image', ...member }: MetaTextOptions = {},
): PropertyDecorator =>
  applyDecorators(
    RestArg({
      type: 'string',
      documentedDefault: null,
      insertBefore: before,
      description: note ? `${description}; ${note}.` : `${description}.`,
    }),
    Member({ meta, searched: true, optional: true, description: `${description}.`, ...member }),
  );

/** A flag of a write. Flags are texts: JSON booleans are refused, as recorded. */
export const FlagTextArg = (description: string): PropertyDecorator =>
  applyDecorators(
    RestArg({
      type: 'string',
      documentedDefault: null,
      castInline: true,
      description: `${description}: "true" or "false".`,
      schema: { enum: ['true', 'false'] },
    }),
    Transform(({ value }: TransformParams) => (value === undefined ? undefined : isTruthyWord(value))),
  );

/** `slug` of an update by slug. */
export const NewSlugArg = (): PropertyDecorator =>
  RestArg({
    type: 'string',
    undeclared: true,
    description: 'New slug; empty makes one from the name.',
  });
