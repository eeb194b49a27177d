import { IsOneOf } from './checks.js';
import { RestArg, stacked } from './rest-arg.js';

/** Largest page of any list in the clean form. */
export const MOST_CLEAN_PER_PAGE = 100;

/** `_format` of a read: `clean` asks for the clean form (docs/behaviour/additions.md#clean-form). */
export const FormatArg = (): PropertyDecorator =>
  stacked(
    RestArg({
      ours: true,
      type: 'string',
      description:
        'clean: texts without entities, dates as ISO 8601 with their offset, the same types always; up to 100 per page.',
    }),
    IsOneOf(['clean'])(),
  );
