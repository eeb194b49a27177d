import { EMPTY_LIST, INTEGER, Member } from '../resources/base/member.js';

const TEXT = { type: 'string' };

class ErrorDataJson {
  @Member({ ...INTEGER, description: 'The HTTP status again.' }) status: number;
  @Member({
    description: 'Missing parameters by name, or what is wrong with each.',
    anyOf: [
      { type: 'array', items: TEXT },
      { type: 'object', additionalProperties: TEXT },
    ],
    optional: true,
  })
  params?: string[] | Record<string, string>;
  @Member({
    description: 'Failures with a code of their own; an empty list when there are none.',
    anyOf: [EMPTY_LIST, { type: 'object', additionalProperties: { type: 'object' } }],
    optional: true,
  })
  details?: [] | Record<string, object>;
}

export class ErrorJson {
  @Member({ examples: ['rest_invalid_param'] }) code: string;
  @Member() message: string;
  @Member({ type: ErrorDataJson, optional: true }) data?: ErrorDataJson;
}
