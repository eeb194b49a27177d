import { makeCheck } from '../../../http/params/make-check.js';
import { RestArg } from '../../../http/params/rest-arg.js';

/** What a write to one date of a recurring event concerns. */
export type WriteScope = (typeof SCOPES)[number];

const SCOPES = ['this', 'following', 'all'] as const;

const IsScope = makeCheck(
  'isScope',
  'must be this, following or all.',
  (value) => SCOPES.some((scope) => scope === value),
  { type: 'string', enum: [...SCOPES] },
);

/** `scope` of a write to the id of one date. */
export const ScopeArg = (): PropertyDecorator =>
  RestArg(
    {
      undeclared: true,
      description:
        'With the id of one date of a recurring event: `this` date alone (default), it and all `following` ones, or `all`.',
    },
    IsScope(),
  );
