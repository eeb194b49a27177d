import { Transform } from 'class-transformer';
import { getContext, type TransformParams } from '../../http/params/check-context.js';
import { type ArgOptions, RestArg } from '../../http/params/rest-arg.js';
import { DateArg, type DocumentedOptions, toSiteDate, toUtcDate } from '../../http/params/write-args.js';
import { fromUtc } from '../../lib/wordpress-text/dates/convert.js';
import { isTimestamp } from '../../lib/wordpress-text/dates/strtotime.js';
import { isTruthyWord } from '../../lib/wordpress-text/formatting/truthy-word.js';
import { Member, type MemberOptions } from '../base/member.js';

// Field declarations that venues and organizers share (docs/behaviour/venues-and-organizers.md#fields-on-write).

/**
 * `date` of a write: a number of seconds is an instant, converted to the site's clock; a text is a wall clock of the
 * site (docs/behaviour/dates.md#publication-dates).
 */
export const SiteDateArg = (documented?: DocumentedOptions): PropertyDecorator =>
  DateArg((given) => {
    const instant = isTimestamp(given.value) ? toUtcDate(given) : undefined;
    return instant === undefined ? toSiteDate(given) : fromUtc(instant, getContext(given.obj).settings.zone);
  }, documented);

/** Options of one text field. */
interface MetaTextOptions
  extends Pick<MemberOptions, 'visibleWhenLocked' | 'searched'>,
    Pick<ArgOptions, 'insertBefore'> {
  /** Addition to the description of the parameter. */
  note?: string;
}

/** Declares a text that a meta row stores: its parameter, key, search and response member. By default it precedes the image. */
export const MetaTextArg = (
  metaKey: string,
  description: string,
  { note, insertBefore = 'image', ...member }: MetaTextOptions = {},
): PropertyDecorator =>
  RestArg(
    {
      type: 'string',
      documentedDefault: null,
      insertBefore,
      description: note ? `${description}; ${note}.` : `${description}.`,
    },
    Member({ metaKey, searched: true, optional: true, description: `${description}.`, ...member }),
  );

/** Declares a flag of a write, which must be a text: JSON booleans are rejected, as recorded. */
export const FlagTextArg = (description: string): PropertyDecorator =>
  RestArg(
    {
      type: 'string',
      documentedDefault: null,
      castInline: true,
      description: `${description}: "true" or "false".`,
      schema: { enum: ['true', 'false'] },
    },
    Transform(({ value }: TransformParams) => (value === undefined ? undefined : isTruthyWord(value))),
  );

/** `slug` of an update by slug. */
export const NewSlugArg = (): PropertyDecorator =>
  RestArg({
    type: 'string',
    undeclared: true,
    description: 'New slug; empty makes one from the name.',
  });
