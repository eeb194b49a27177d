import { dateTime, nonEmptyText } from '../http/checks.js';
import { imageOrEmpty } from '../http/image-arg.js';
import { LONGEST } from '../http/limits.js';
import { type Check, RequiredArgs, RestArg } from '../http/rest-arg.js';
import {
  anyText,
  columnText,
  existingUser,
  parseDate,
  parseDateUtc,
  publicationDate,
  requiredText,
  urlOrEmpty,
  writableStatus,
} from '../http/write-args.js';
import { type LinkedPostWish, linkedPostsArg } from '../linked-posts/linked-posts-arg.js';
import { ORGANIZER } from '../organizers/organizer-type.js';
import { OrganizerFields } from '../organizers/organizer-write.dto.js';
import { VENUE } from '../venues/venue-type.js';
import { VenueFields } from '../venues/venue-write.dto.js';
import { canonicalZone, isValidZone } from '../wordpress/dates/zones.js';
import { isPhpEmpty } from '../wordpress/formatting/php-empty.js';
import type { WritableStatus } from '../wordpress/posts/post-statuses.js';
import { type CostRows, costRows } from './cost-write.js';
import { ZONE_CHARACTERS } from './tec-event.entity.js';

const zone: Check = (value) => {
  if (typeof value !== 'string' || (value !== '' && !isValidZone(value)))
    return 'must be a time zone: an IANA name, UTC, UTC±H, ±HH:MM or an abbreviation.';
  return value.length <= ZONE_CHARACTERS || `may hold at most ${ZONE_CHARACTERS} characters.`;
};

const cost: Check = (value, { settings }) =>
  costRows(value, settings.render.locale) !== undefined || 'must be a text, a number or a list of them.';

/** Ids, names or slugs: a scalar, a comma text or a list of scalars. */
const termList: Check = (value) =>
  typeof value !== 'object' ||
  Object.values(value as object).every((item) => item === null || typeof item !== 'object') ||
  'must be a list of ids, names or slugs.';

function parseTermList(value: unknown): (string | number)[] | undefined {
  if (value === undefined) return undefined;
  const items = typeof value === 'object' && value !== null ? Object.values(value) : String(value).split(',');
  return items
    .filter((item) => !isPhpEmpty(item))
    .map((item) => (typeof item === 'number' ? item : String(item).trim()))
    .filter((item) => item !== '');
}

const emptyText = (value: unknown) =>
  value === undefined ? undefined : isPhpEmpty(value) ? '' : String(value);

/** Fields of an event that a create or an update may send; undefined was not sent. */
export class EventFields {
  @RestArg({ type: 'integer', check: existingUser, description: 'Id of the author.' })
  author?: number;
  @RestArg({
    type: 'string',
    check: publicationDate,
    parse: parseDate,
    description: "Publication date on the site's clock.",
  })
  date?: string;
  @RestArg({
    type: 'string',
    check: publicationDate,
    parse: parseDateUtc,
    description: 'Publication date in UTC.',
  })
  date_utc?: string;
  @RestArg({ type: 'string', check: requiredText, longest: LONGEST.title, description: 'Title.' })
  title?: string;
  @RestArg({
    type: 'string',
    check: anyText,
    longest: LONGEST.text,
    description: 'Description; empty clears it.',
  })
  description?: string;
  @RestArg({ type: 'string', check: anyText, description: 'Slug; empty makes one from the title.' })
  slug?: string;
  @RestArg({
    type: 'string',
    check: columnText,
    longest: LONGEST.text,
    description: 'Excerpt; empty clears it.',
  })
  excerpt?: string;
  @RestArg({
    type: 'string',
    check: writableStatus,
    description: 'publish, future, draft, pending or private.',
  })
  status?: WritableStatus;
  @RestArg({
    type: 'string',
    check: zone,
    parse: (value) => (value === undefined ? undefined : canonicalZone(String(value))),
    description: "Time zone; empty is the site's.",
  })
  timezone?: string;
  @RestArg({ type: 'boolean', shownDefault: false, description: 'Whether it lasts whole days.' })
  all_day?: boolean;
  @RestArg({ type: 'string', check: dateTime, description: 'Start, on the clock of the time zone.' })
  start_date?: string;
  @RestArg({ type: 'string', check: dateTime, description: 'End, on the clock of the time zone.' })
  end_date?: string;
  @RestArg({
    type: 'string',
    check: imageOrEmpty,
    description: 'Featured image: the id of an attachment or a URL; empty removes it.',
  })
  image?: string;
  @RestArg({
    check: cost,
    parse: (value, { settings }) =>
      value === undefined ? undefined : costRows(value, settings.render.locale),
    description: 'Cost: a text, a number or a list; empty clears it.',
  })
  cost?: CostRows;
  @RestArg({
    shownDefault: null,
    check: urlOrEmpty,
    parse: emptyText,
    description: 'Address of its website; empty clears it.',
  })
  website?: string;
  @RestArg({ type: 'boolean', description: 'Whether to show a map.' })
  show_map?: boolean;
  @RestArg({ type: 'boolean', description: 'Whether to link to a map.' })
  show_map_link?: boolean;
  @RestArg({ type: 'boolean', description: 'Whether lists leave it out.' })
  hide_from_listings?: boolean;
  @RestArg({ type: 'boolean', description: 'Whether it is pinned in the calendar.' })
  sticky?: boolean;
  @RestArg({ type: 'boolean', description: 'Whether it is featured.' })
  featured?: boolean;
  @RestArg({
    shownDefault: null,
    items: 'integer',
    check: termList,
    parse: parseTermList,
    description: 'Categories by id, name or slug; new names are created.',
  })
  categories?: (string | number)[];
  @RestArg({
    shownDefault: null,
    items: 'integer',
    check: termList,
    parse: parseTermList,
    description: 'Tags by id, name or slug; new names are created.',
  })
  tags?: (string | number)[];
  @RestArg({
    shownDefault: null,
    items: 'integer',
    ...linkedPostsArg(VENUE, VenueFields),
    description: 'Venues: ids, or data of a new one.',
  })
  venue?: LinkedPostWish[];
  @RestArg({
    shownDefault: null,
    items: 'integer',
    ...linkedPostsArg(ORGANIZER, OrganizerFields),
    description: 'Organizers: ids, or data of new ones.',
  })
  organizer?: LinkedPostWish[];
}

/** Body of `POST /events`. */
@RequiredArgs('title', 'start_date', 'end_date')
export class CreateEventDto extends EventFields {}

/** Body of an update of an event by id; the password is taken and has no effect, as recorded. */
export class UpdateEventDto extends EventFields {
  @RestArg({ type: 'string', check: nonEmptyText, before: 'author', description: 'Without effect.' })
  password?: string;
}

/** Body of an update of an event by slug. */
export class UpdateEventBySlugDto extends EventFields {}

/** Parameters of `DELETE /events/<id>`; the password has no effect, as recorded. */
export class DeleteEventQuery {
  @RestArg({ type: 'string', check: nonEmptyText, description: 'Without effect.' })
  password?: string;
}

/** Parameters of `DELETE /events/by-slug/<slug>`: none. */
export class DeleteEventBySlugQuery {}
