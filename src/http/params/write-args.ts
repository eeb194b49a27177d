import { Transform } from 'class-transformer';
import { IsIn, IsString } from 'class-validator';
import { buildDateObject, isTime } from '../../lib/wordpress-text/dates/strtotime.js';
import { formatWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import { filterValidateUrl } from '../../lib/wordpress-text/formatting/php-filter-url.js';
import { isNumeric } from '../../lib/wordpress-text/formatting/php-number.js';
import { ImageRejected, parseImageReference } from '../../wordpress/media/safe-fetch.js';
import { WRITABLE_STATUSES } from '../../wordpress/posts/post-statuses.js';
import { toWriteContext } from '../request-context.js';
import { getContext, type TransformParams } from './check-context.js';
import { DATE_TEXT, IsNonEmptyText } from './checks.js';
import { toId } from './fields.js';
import { MAX_LENGTH } from './limits.js';
import { makeCheck, RAW_CHECKS } from './make-check.js';
import { type ArgOptions, RestArg } from './rest-arg.js';

/** Maximum bytes of a TEXT column. */
export const TEXT_BYTES = 65_535;

const STORABLE = /^(?!0000)\d{4}-/;

/** Text that fits its column, so that none is truncated (W15). */
export const FitsColumn = makeCheck(
  'fitsColumn',
  `is longer than ${TEXT_BYTES} bytes.`,
  (value) => typeof value !== 'string' || Buffer.byteLength(value) <= TEXT_BYTES,
  // A character takes at least one byte.
  { maxLength: TEXT_BYTES },
);

/** Any text; '' clears the field (W4). */
const IsText = (): PropertyDecorator =>
  IsString({ groups: [RAW_CHECKS], message: '$property must be a text.' });

/** The same for events, where "0" counts as empty, as recorded. */
export const IsTextButZero = makeCheck(
  'isTextButZero',
  'must be a text, and not "0".',
  (value) => typeof value === 'string' && value !== '0',
  { type: 'string', not: { const: '0' } },
);

/** An absolute URL, or an empty text. */
export const IsUrlOrEmpty = makeCheck(
  'isUrlOrEmpty',
  'must be an absolute address such as https://example.org/, or empty.',
  (value) => isPhpEmpty(value) || (typeof value === 'string' && filterValidateUrl(value) !== false),
  {
    type: 'string',
    anyOf: [{ type: 'string', format: 'uri' }, { const: '' }],
    examples: ['https://example.org/'],
  },
);

const IsExistingUser = makeCheck(
  'isExistingUser',
  'must be the id of an existing user.',
  async (value, values) => {
    const id = toId(value);
    return id !== undefined && getContext(values).lookups.userExists(id);
  },
  { minimum: 1 },
);

/** A publication date: a text that PHP parses as a date, or a whole number of seconds. */
const IsPublicationDate = makeCheck(
  'isPublicationDate',
  'must be a date and time, such as 2026-11-21 10:00:00.',
  (value, values) => {
    const seconds = timeOfWrite(values);
    // Other numbers are no date.
    const isOdd = typeof value === 'string' && isNumeric(value) && /[.e]/i.test(value);
    const date = isTime(value, seconds) && !isOdd ? buildDateObject(value, 'UTC', seconds) : undefined;
    return date !== undefined && STORABLE.test(formatWallClock(date.wall));
  },
  DATE_TEXT,
);

/** `date` as the site's wall clock: an offset in the text is dropped (W17). */
export const toSiteDate = ({ value, obj }: TransformParams): string | undefined => {
  if (value === undefined) return undefined;
  const date = buildDateObject(value, getContext(obj).settings.zone, timeOfWrite(obj));
  return date && formatWallClock(date.wall);
};

/** `date_utc` as UTC: an offset in the text is honoured. */
export const toUtcDate = ({ value, obj }: TransformParams): string | undefined => {
  if (value === undefined) return undefined;
  const date = buildDateObject(value, 'UTC', timeOfWrite(obj));
  return date && formatWallClock(date.epoch);
};

/** The options of a field that several resources declare. */
export type DocumentedOptions = Pick<ArgOptions, 'documentedDefault'>;

export const AuthorArg = (documented?: DocumentedOptions): PropertyDecorator =>
  RestArg({ type: 'integer', ...documented, description: 'Id of the author.' }, IsExistingUser());

export const DateArg = (toDate = toSiteDate, documented?: DocumentedOptions): PropertyDecorator =>
  RestArg(
    {
      type: 'string',
      castInline: true,
      ...documented,
      description: "Publication date on the site's clock.",
    },
    IsPublicationDate(),
    Transform(toDate),
  );

export const DateUtcArg = (documented?: DocumentedOptions): PropertyDecorator =>
  RestArg(
    { type: 'string', castInline: true, ...documented, description: 'Publication date in UTC.' },
    IsPublicationDate(),
    Transform(toUtcDate),
  );

/** A name or title: a text that is not empty and fits its column. */
export const TitleArg = (description: string, documented?: DocumentedOptions): PropertyDecorator =>
  RestArg(
    { type: 'string', maxLength: MAX_LENGTH.title, ...documented, description },
    IsNonEmptyText(),
    FitsColumn(),
  );

export const DescriptionArg = (documented?: DocumentedOptions): PropertyDecorator =>
  RestArg(
    {
      type: 'string',
      maxLength: MAX_LENGTH.text,
      ...documented,
      description: 'Description; empty clears it.',
    },
    IsText(),
  );

export const SlugArg = (): PropertyDecorator =>
  RestArg({ type: 'string', description: 'Slug; empty makes one from the title.' }, IsText());

/** `status` of a write (W8). */
export const StatusArg = (documented?: DocumentedOptions): PropertyDecorator =>
  RestArg(
    { type: 'string', ...documented, description: 'publish, future, draft, pending or private.' },
    IsIn(WRITABLE_STATUSES, {
      groups: [RAW_CHECKS],
      message: `$property must be one of ${WRITABLE_STATUSES.join(', ')}.`,
    }),
  );

/** The time of the write, in epoch seconds. */
const timeOfWrite = (values: object): number => Math.floor(toWriteContext(getContext(values)).now / 1000);

/** The id of an image attachment of any author, a URL if the user may upload, or '' for none. */
const IsImage = makeCheck(
  'isImage',
  'must be the id of an image.',
  async (value, values) => {
    if (value === '') return true;
    if (typeof value !== 'string') return 'must be a text.';
    const { access, lookups } = getContext(values);
    try {
      const reference = parseImageReference(value, { mayUpload: access.can('upload_files') });
      if ('url' in reference) return true;
      const post = await lookups.post(reference.id);
      if (post?.type !== 'attachment' || !post.mimeType.startsWith('image/')) return false;
      // An image of a record that the caller may not read is unknown to them, as it is in the list of images.
      const parent = post.parent > 0 ? await lookups.post(post.parent) : undefined;
      return !parent || access.mayRead(parent);
    } catch (error) {
      if (error instanceof ImageRejected) return error.message;
      throw error;
    }
  },
  { examples: ['7', 'https://example.org/poster.jpg'] },
);

export const ImageArg = (documented?: DocumentedOptions): PropertyDecorator =>
  RestArg(
    {
      type: 'string',
      castInline: true,
      ...documented,
      description: 'Featured image: the id of an attachment or a URL; empty removes it.',
    },
    IsImage(),
  );
