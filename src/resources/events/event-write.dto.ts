import { Transform } from 'class-transformer';
import { getContext, type TransformParams } from '../../http/params/check-context.js';
import { IsDateText, IsNonEmptyText } from '../../http/params/checks.js';
import { itemsOf } from '../../http/params/fields.js';
import { MAX_LENGTH } from '../../http/params/limits.js';
import { makeCheck } from '../../http/params/make-check.js';
import { BodyExample, RequiredArgs, RestArg } from '../../http/params/rest-arg.js';
import {
  AuthorArg,
  DateArg,
  DateUtcArg,
  DescriptionArg,
  FitsColumn,
  ImageArg,
  IsTextButZero,
  IsUrlOrEmpty,
  SlugArg,
  StatusArg,
  TitleArg,
} from '../../http/params/write-args.js';
import { canonicalZone, isValidZone } from '../../lib/wordpress-text/dates/zones.js';
import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import type { WritableStatus } from '../../wordpress/posts/post-statuses.js';
import type { TermItem } from '../../wordpress/terms/named-terms.js';
import { type LinkedPostInput, LinkedPostsArg } from '../linked-posts/linked-posts-arg.js';
import { ORGANIZER } from '../organizers/organizer-type.js';
import { OrganizerFields } from '../organizers/organizer-write.dto.js';
import { VENUE } from '../venues/venue-type.js';
import { VenueFields } from '../venues/venue-write.dto.js';
import { type CostRows, costRows } from './cost-write.js';
import { RecurrenceArg } from './recurrence/recurrence-input.js';
import { ScopeArg, type WriteScope } from './recurrence/scope-arg.js';
import { ZONE_CHARACTERS } from './tec-event.entity.js';

const IsZoneOrEmpty = makeCheck(
  'isZoneOrEmpty',
  'must be a time zone: an IANA name, UTC, UTC±H, ±HH:MM or an abbreviation.',
  (value) => {
    if (typeof value !== 'string' || (value !== '' && !isValidZone(value))) return false;
    return value.length <= ZONE_CHARACTERS || `may hold at most ${ZONE_CHARACTERS} characters.`;
  },
  { maxLength: ZONE_CHARACTERS, examples: ['Europe/Berlin', 'UTC+2'] },
);

const toCost = (value: unknown, values: object) => costRows(value, getContext(values).settings.render.locale);

const IsCost = makeCheck(
  'isCost',
  'must be a text, a number or a list of them.',
  (value, values) => toCost(value, values) !== undefined,
  {
    type: ['string', 'number', 'array'],
    items: { type: ['string', 'number'] },
    examples: ['12.50', [10, 20]],
  },
);

/** Checks for ids, names or slugs: a scalar, a comma text or a list of scalars. */
const IsTermList = makeCheck(
  'isTermList',
  'must be a list of ids, names or slugs.',
  (value) =>
    typeof value !== 'object' ||
    Object.values(value as object).every((item) => item === null || typeof item !== 'object'),
);

function toTermList({ value }: TransformParams): (string | number)[] | undefined {
  if (value === undefined) return undefined;
  const items = typeof value === 'string' ? value.split(',') : itemsOf(value);
  return items
    .filter((item) => !isPhpEmpty(item))
    .map((item) => (typeof item === 'number' ? item : String(item).trim()))
    .filter((item) => item !== '');
}

const TermListArg = (description: string): PropertyDecorator =>
  RestArg({ documentedDefault: null, items: 'integer', description }, IsTermList(), Transform(toTermList));

const FlagArg = (description: string): PropertyDecorator => RestArg({ type: 'boolean', description });

const TimeArg = (description: string): PropertyDecorator =>
  RestArg({ type: 'string', description }, IsDateText());

/** Fields of a create or update of an event; undefined was not sent. */
@BodyExample({ title: 'Summer concert, now indoors' })
export class EventFields {
  @AuthorArg() author?: number;
  @DateArg() date?: string;
  @DateUtcArg() date_utc?: string;
  @TitleArg('Title.') title?: string;
  @DescriptionArg() @IsTextButZero() description?: string;
  @SlugArg() @IsTextButZero() slug?: string;
  @RestArg({ type: 'string', maxLength: MAX_LENGTH.text, description: 'Excerpt; empty clears it.' })
  @FitsColumn()
  @IsTextButZero()
  excerpt?: string;
  @StatusArg() status?: WritableStatus;
  @RestArg({ type: 'string', description: "Time zone; empty is the site's." })
  @IsZoneOrEmpty()
  @Transform(({ value }: TransformParams) => (value === undefined ? undefined : canonicalZone(String(value))))
  timezone?: string;
  @RestArg({ documentedDefault: false, type: 'boolean', description: 'Whether it lasts whole days.' })
  all_day?: boolean;
  @TimeArg('Start, on the clock of the time zone.') start_date?: string;
  @TimeArg('End, on the clock of the time zone.') end_date?: string;
  @ImageArg() image?: string;
  @RestArg({ description: 'Cost: a text, a number or a list; empty clears it.' })
  @IsCost()
  @Transform(({ value, obj }: TransformParams) => (value === undefined ? undefined : toCost(value, obj)))
  cost?: CostRows;
  @RestArg({ documentedDefault: null, description: 'Address of its website; empty clears it.' })
  @IsUrlOrEmpty()
  @Transform(({ value }: TransformParams) => (value === undefined || !isPhpEmpty(value) ? value : ''))
  website?: string;
  @FlagArg('Whether to show a map.') show_map?: boolean;
  @FlagArg('Whether to link to a map.') show_map_link?: boolean;
  @FlagArg('Whether lists leave it out.') hide_from_listings?: boolean;
  @FlagArg('Whether it is pinned in the calendar.') sticky?: boolean;
  @FlagArg('Whether it is featured.') featured?: boolean;
  @TermListArg('Categories by id, name or slug; new names are created.') categories?: TermItem[];
  @TermListArg('Tags by id, name or slug; new names are created.') tags?: TermItem[];
  @LinkedPostsArg(VENUE, VenueFields, 'Venues: ids, or data of a new one.') venue?: LinkedPostInput[];
  @LinkedPostsArg(ORGANIZER, OrganizerFields, 'Organizers: ids, or data of new ones.')
  organizer?: LinkedPostInput[];
  @RecurrenceArg() recurrence?: string[];
}

/** Body of `POST /events`. */
@RequiredArgs('title', 'start_date', 'end_date')
@BodyExample({
  title: 'Summer concert',
  start_date: '2027-06-18 19:00:00',
  end_date: '2027-06-18 22:00:00',
})
export class CreateEventDto extends EventFields {}

/** Body of an update by id; the password has no effect, as recorded. */
export class UpdateEventDto extends EventFields {
  @RestArg({ type: 'string', insertBefore: 'author', description: 'Without effect.' })
  @IsNonEmptyText()
  password?: string;
  @ScopeArg() scope?: WriteScope;
}

/** Body of an update of an event by slug. */
export class UpdateEventBySlugDto extends EventFields {}

/** Parameters of `DELETE /events/<id>`; the password has no effect, as recorded. */
export class DeleteEventQuery {
  @RestArg({ type: 'string', description: 'Without effect.' })
  @IsNonEmptyText()
  password?: string;
  @ScopeArg() scope?: WriteScope;
}
