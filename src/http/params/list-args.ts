import { Transform } from 'class-transformer';
import { instantText } from '../../lib/wordpress-text/dates/convert.js';
import { isNumeric } from '../../lib/wordpress-text/formatting/php-number.js';
import { getContext, type TransformParams } from './check-context.js';
import { IsOneOf, IsPositiveInt, IsStatusFilter } from './checks.js';
import { isCursor } from './cursor.js';
import { filterItems, itemsOf, scalarText, statusItems } from './fields.js';
import { makeCheck } from './make-check.js';
import { type ArgOptions, RestArg } from './rest-arg.js';

/** Maximum page size of lists in the clean form. */
const MAX_CLEAN_PER_PAGE = 100;

/** `_format` of a read: `clean` is the clean form (docs/behaviour/additions.md#clean-form). */
export const FormatArg = (): PropertyDecorator =>
  RestArg(
    {
      isExtension: true,
      type: 'string',
      description:
        'clean: texts without entities, dates as ISO 8601 with their offset, the same types always; up to 100 per page.',
    },
    IsOneOf(['clean'])(),
  );

export const POST_ORDERS = ['date', 'modified', 'title', 'id'] as const;

const ALIASES: Readonly<Record<string, string>> = { event_date: 'start_date' };

/** Normalizes the letter case of a word. */
function normalizedWord(value: unknown): string | undefined {
  const word = typeof value === 'string' ? value.toLowerCase() : undefined;
  return word === undefined ? undefined : (ALIASES[word] ?? word);
}

const NormalizeWord = Transform(({ value }: TransformParams) => normalizedWord(value));

const IsWordOf = (words: readonly string[]): PropertyDecorator =>
  makeCheck(
    'isWordOf',
    `must be one of ${words.join(', ')}.`,
    (value) => words.includes(normalizedWord(value) ?? ''),
    { enum: words },
  )();

const HasPlace = makeCheck(
  'hasPlace',
  'by distance needs geoloc_lat, geoloc_lng and geoloc_radius.',
  (value, values) =>
    normalizedWord(value) !== 'distance' || getContext(values).sent['geoloc_lat'] !== undefined,
);

/** `orderby` of a list of posts (docs/behaviour/additions.md#order). */
export const OrderByArg = (names: readonly string[] = POST_ORDERS): PropertyDecorator =>
  RestArg(
    { isExtension: true, type: 'string', description: 'What to sort by; ties by id.' },
    IsWordOf(names),
    HasPlace(),
    NormalizeWord,
  );

const HasOrder = makeCheck(
  'hasOrder',
  'says how to sort by what is not understood.',
  (_value, values) => !('orderby' in getContext(values).ignored),
);

const OrderArg = (): PropertyDecorator =>
  RestArg(
    {
      isExtension: true,
      type: 'string',
      description: 'Sort direction; without it date and modified are newest first, all else ascending.',
    },
    IsWordOf(['asc', 'desc']),
    HasOrder(),
    NormalizeWord,
  );

const IsCursor = makeCheck('isCursor', 'must be *, or what next_cursor said.', isCursor);

/** `cursor` of a list of posts (docs/behaviour/additions.md#cursor). */
const CursorArg = (): PropertyDecorator =>
  RestArg(
    {
      isExtension: true,
      type: 'string',
      description:
        '* begins at the first record, then what next_cursor said goes on: pages cost the same however far, and hold whatever is added or removed.',
    },
    IsCursor(),
  );

const IsInstant = makeCheck(
  'isInstant',
  "must be ISO 8601, such as 2026-11-21T10:00:00Z; without an offset it is on the site's clock.",
  (value, values) =>
    typeof value === 'string' && instantText(value, getContext(values).settings.zone) !== undefined,
  { format: 'date-time' },
);

/** `modified_after` or `modified_before` of a list of posts (docs/behaviour/additions.md#changes-since). */
const InstantArg = (description: string): PropertyDecorator =>
  RestArg({ isExtension: true, type: 'string', description }, IsInstant());

const AreIds = makeCheck(
  'areIds',
  'must be ids of users, joined by commas.',
  (value) => typeof value === 'string' && /^[1-9]\d{0,15}(,[1-9]\d{0,15}){0,99}$/.test(value),
);

/** `author` of a list of posts (docs/behaviour/additions.md#authors). */
const AuthorsArg = (): PropertyDecorator =>
  RestArg(
    { isExtension: true, type: 'string', description: 'Only those of these users: ids, joined by commas.' },
    AreIds(),
  );

const TOGETHER = ['geoloc_lat', 'geoloc_lng', 'geoloc_radius'];
/** Half the Earth's circumference in kilometres, rounded up. */
const FARTHEST = 20_100;

const between = (least: number, most: number, unit: string): PropertyDecorator =>
  makeCheck(
    'isWithin',
    `must be a number of ${unit} from ${least} to ${most}.`,
    (value, values) => {
      const { sent } = getContext(values);
      if (!isNumeric(value) || Number(value) < least || Number(value) > most) return false;
      return (
        TOGETHER.every((name) => (sent[name] ?? null) !== null) || `needs all of ${TOGETHER.join(', ')}.`
      );
    },
    { minimum: least, maximum: most },
  )();

const toNumber = Transform(({ value }: TransformParams) => (value === undefined ? undefined : Number(value)));

const NumberArg = (options: ArgOptions, check: PropertyDecorator): PropertyDecorator =>
  RestArg({ format: 'double', ...options }, check, toNumber);

type ExtensionOptions = Pick<ArgOptions, 'isExtension' | 'lenient'>;

/** `geoloc_lat` of a list (docs/behaviour/additions.md#places). */
export const LatitudeArg = (ours: ExtensionOptions = { isExtension: true }): PropertyDecorator =>
  NumberArg({ ...ours, description: 'Latitude of a place to look around.' }, between(-90, 90, 'degrees'));

export const LongitudeArg = (ours: ExtensionOptions = { isExtension: true }): PropertyDecorator =>
  NumberArg({ ...ours, description: 'Longitude of a place to look around.' }, between(-180, 180, 'degrees'));

export const RadiusArg = (): PropertyDecorator =>
  NumberArg(
    { isExtension: true, description: 'Kilometres around that place; answers say the distance.' },
    between(0, FARTHEST, 'kilometres'),
  );

/** Maximum page size of lists; larger values are reduced to it, as recorded. */
const MAX_PER_PAGE = 50;

export const PageArg = (): PropertyDecorator =>
  RestArg({ default: 1, type: 'integer', description: 'The page of results to return.' }, IsPositiveInt());

/** `per_page`, at most 50; by default the site's setting, which the index shows as the text of the option. */
export const PerPageArg = (): PropertyDecorator =>
  RestArg(
    {
      documentedDefault: ({ settings }) => settings.perPageOption,
      type: 'integer',
      description: `How many per page, at most ${MAX_PER_PAGE}.`,
    },
    IsPositiveInt(),
    Transform(({ value, obj }: TransformParams) => {
      const { settings, sent } = getContext(obj);
      const most = sent['_format'] === 'clean' ? MAX_CLEAN_PER_PAGE : MAX_PER_PAGE;
      return value === undefined ? settings.perPage : Math.min(most, Number(value));
    }),
  );

/** `status` as a list; an empty one, of an empty text, stands for published and private. */
export const StatusesArg = (type: string): PropertyDecorator =>
  RestArg(
    { format: 'string', description: 'Only those with one of these statuses.' },
    IsStatusFilter(type),
    Transform(({ value }: TransformParams) => (value === undefined ? undefined : statusItems(value))),
  );

/** Parameters of reads of posts: the format, and what unlocks protected records: a password, or the right to edit. */
export class UnlockArgs {
  @FormatArg() _format?: string;
  @RestArg({
    undeclared: true,
    unlocks: true,
    description: 'Opens records that are protected by this password.',
    schema: { type: 'string' },
  })
  password?: unknown;
  @RestArg({
    undeclared: true,
    unlocks: true,
    description: 'edit opens protected records that the caller may edit.',
    schema: { type: 'string', enum: ['view', 'edit'] },
  })
  context?: unknown;
}

/** Parameters of reading one record. */
export class ReadArgs extends UnlockArgs {
  @RestArg({
    type: 'boolean',
    isExtension: true,
    description: 'true adds `raw`, the texts as they are stored; for who may edit the record.',
  })
  _raw?: boolean;
}

export class PostListArgs extends UnlockArgs {
  @PageArg() page: number;
  @PerPageArg() per_page: number;
  @OrderByArg() orderby?: string;
  @OrderArg() order?: string;
  @CursorArg() cursor?: string;
  @AuthorsArg() author?: string;
  @InstantArg('Only those that were changed at this time or later.') modified_after?: string;
  @InstantArg('Only those that were changed before this time, and not since.') modified_before?: string;
}

/** The ids of a filter, and its raw text for links, a list joined by commas. */
export interface IdFilter {
  ids: number[];
  text: string;
}

/** Parses a checked list of ids. */
export const toIdFilter = ({ value }: TransformParams): IdFilter | undefined =>
  value === undefined
    ? undefined
    : {
        ids: filterItems(value).map((item) => Math.min(Number(item), Number.MAX_SAFE_INTEGER)),
        text: typeof value === 'string' ? value : itemsOf(value).map(scalarText).join(','),
      };
