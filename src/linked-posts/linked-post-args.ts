import { imageOrEmpty } from '../http/image-arg.js';
import { LONGEST } from '../http/limits.js';
import type { ArgOptions } from '../http/rest-arg.js';
import {
  anyText,
  existingUser,
  parseDate,
  parseDateUtc,
  publicationDate,
  requiredText,
  urlOrEmpty,
  writableStatus,
} from '../http/write-args.js';
import { fromUtc } from '../wordpress/dates/convert.js';
import { isTimestamp } from '../wordpress/dates/is-timestamp.js';
import { isTruthyWord } from '../wordpress/formatting/truthy-word.js';

/**
 * Declarations of the fields that venues and organizers take alike
 * (docs/behaviour/venues-and-organizers.md#fields-on-write).
 */
export const ARGS = {
  author: { type: 'integer', check: existingUser },
  // Seconds are an instant here, shown on the site's clock; a text is that clock's own
  // (docs/behaviour/dates.md#publication-dates).
  date: {
    type: 'string',
    check: publicationDate,
    parse: (value, context) => {
      const instant = isTimestamp(value) ? parseDateUtc(value, context) : undefined;
      return typeof instant === 'string'
        ? fromUtc(instant, context.settings.zone)
        : parseDate(value, context);
    },
  },
  dateUtc: { type: 'string', check: publicationDate, parse: parseDateUtc },
  name: { type: 'string', check: requiredText, longest: LONGEST.title },
  description: { type: 'string', check: anyText, longest: LONGEST.text },
  status: { type: 'string', check: writableStatus },
  slug: { type: 'string', undeclared: true },
  text: { type: 'string' },
  website: { type: 'string', check: urlOrEmpty },
  // Flags are texts: JSON booleans are refused, as recorded.
  flag: { type: 'string', parse: (value) => (value === undefined ? undefined : isTruthyWord(value)) },
  image: { type: 'string', check: imageOrEmpty },
} as const satisfies Record<string, Omit<ArgOptions, 'description'>>;

/** Parameters of deleting a venue or organizer: none. */
export class DeleteLinkedPostQuery {}
