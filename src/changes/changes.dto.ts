import { Transform } from 'class-transformer';
import type { TransformParams } from '../http/params/check-context.js';
import { IsPositiveInt } from '../http/params/checks.js';
import { filterItems } from '../http/params/fields.js';
import { makeCheck } from '../http/params/make-check.js';
import { RestArg } from '../http/params/rest-arg.js';
import { readSyncToken, type SyncToken } from './sync-token.js';

const DEFAULT_PER_PAGE = 50;
const MAX_PER_PAGE = 100;
/** Maximum characters of a token. */
const MAX_TOKEN_LENGTH = 2000;

/** The value of `since` that skips everything up to now. */
const NOW = 'now';

const IsSince = makeCheck(
  'isSince',
  'must be a token of an earlier response, or now.',
  (value) => value === NOW || (typeof value === 'string' && readSyncToken(value) !== undefined),
);

const toSince = ({ value }: TransformParams): SyncToken | typeof NOW | undefined =>
  typeof value === 'string' && value !== NOW ? readSyncToken(value) : (value as typeof NOW | undefined);

/** Parameters of `GET /changes`. */
export class ListChangesQuery {
  @RestArg({
    type: 'string',
    maxLength: MAX_TOKEN_LENGTH,
    description:
      'Only what has changed since the response with this token; now for a token alone; absent for everything.',
  })
  @IsSince()
  @Transform(toSince)
  since?: SyncToken | typeof NOW;

  @RestArg({
    items: 'string',
    description: 'Only these kinds of records, such as events,venues; absent for all.',
  })
  @Transform(({ value }: TransformParams) => (value === undefined ? undefined : filterItems(value)))
  types?: string[];

  @RestArg({
    type: 'integer',
    default: DEFAULT_PER_PAGE,
    description: `How many per page, at most ${MAX_PER_PAGE}.`,
  })
  @IsPositiveInt()
  @Transform(({ value }: TransformParams) => Math.min(MAX_PER_PAGE, Number(value ?? DEFAULT_PER_PAGE)))
  per_page: number;
}
