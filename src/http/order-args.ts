import { contextOf } from './check-context.js';
import { IsOneOf } from './checks.js';
import { isCursor } from './cursor.js';
import { makeCheck } from './make-check.js';
import { RestArg, stacked } from './rest-arg.js';

/** What lists of all posts may be sorted by. */
export const POST_ORDERS = ['date', 'modified', 'title', 'id'] as const;

const HasPlace = makeCheck(
  'hasPlace',
  'by distance needs geoloc_lat, geoloc_lng and geoloc_radius.',
  (value, values) => value !== 'distance' || contextOf(values).sent['geoloc_lat'] !== undefined,
);

/** `orderby` of a list of posts (docs/behaviour/additions.md#order). */
export const OrderByArg = (names: readonly string[] = POST_ORDERS): PropertyDecorator =>
  stacked(
    RestArg({ ours: true, type: 'string', description: 'What to sort by; ties by id.' }),
    IsOneOf(names)(),
    HasPlace(),
  );

/** `order` of a list of posts. */
export const OrderArg = (): PropertyDecorator =>
  stacked(
    RestArg({
      ours: true,
      type: 'string',
      description: 'Sort direction; without it date and modified are newest first, all else ascending.',
    }),
    IsOneOf(['asc', 'desc'])(),
  );

const IsCursor = makeCheck(
  'isCursor',
  'must be *, or what next_cursor said; it does not go with page.',
  (value, values) => isCursor(value) && contextOf(values).sent['page'] === undefined,
);

/** `cursor` of a list of posts (docs/behaviour/additions.md#cursor). */
export const CursorArg = (): PropertyDecorator =>
  stacked(
    RestArg({
      ours: true,
      type: 'string',
      description:
        '* begins at the first record, then what next_cursor said goes on: pages cost the same however far, and hold whatever is added or removed.',
    }),
    IsCursor(),
  );
