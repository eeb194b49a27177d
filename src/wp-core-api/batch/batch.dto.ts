import { IsIn } from 'class-validator';
import { MAX_LENGTH } from '../../http/params/limits.js';
import { makeCheck } from '../../http/params/make-check.js';
import { RequiredArgs, RestArg } from '../../http/params/rest-arg.js';

export const MAX_REQUESTS = 25;
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
const MAX_PATH_LENGTH = 2000;
/** The headers that a request may have of its own; those of its caller are the batch's. */
const OWN_HEADERS = ['if-match', 'if-none-match', 'if-unmodified-since', 'idempotency-key'];
/** Parameters of an address that would lead elsewhere. */
const REDIRECTING = /^(?:rest_route|_method|_jsonp)(?:\[|$)/i;

/** One request as it was sent. */
export interface BatchRequest {
  method?: (typeof METHODS)[number];
  path: string;
  body?: object;
  headers?: Record<string, string>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Why a request is refused, as the end of a sentence; undefined for a valid one. */
function fault(one: unknown): string | undefined {
  if (!isObject(one)) return ' must be an object.';
  const { method = 'POST', path, body = {}, headers = {}, ...others } = one;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return ' may only have the members method, path, body and headers.';
  if (!METHODS.some((known) => known === method)) return `.method must be one of ${METHODS.join(', ')}.`;
  if (typeof path !== 'string' || !isPath(path))
    return `.path must be a path below the REST root, such as /cal/events/v1/events, with a plain query.`;
  // PHP sends an empty object as a list.
  if (!isObject(body) && !(Array.isArray(body) && body.length === 0)) return '.body must be an object.';
  if (!isObject(headers) && !(Array.isArray(headers) && headers.length === 0))
    return '.headers must be an object.';
  const isOwn = ([name, value]: [string, unknown]) =>
    OWN_HEADERS.includes(name.toLowerCase()) && typeof value === 'string' && /^[\t -~]{1,1000}$/.test(value);
  return Object.entries(headers).every(isOwn)
    ? undefined
    : `.headers may only have ${OWN_HEADERS.join(', ')}, each a text.`;
}

/** Whether a path is visible ASCII without a fragment, a segment of dots, or a parameter that leads elsewhere. */
function isPath(path: string): boolean {
  if (path.length > MAX_PATH_LENGTH || !/^\/[!"$-[\]-~]*$/.test(path)) return false;
  const [route = '', query = ''] = path.split(/\?(.*)/s);
  if (route.split('/').some((part) => /^(?:\.|%2e){1,2}$/i.test(part))) return false;
  return [...new URLSearchParams(query).keys()].every((name) => !REDIRECTING.test(name.trim()));
}

const AreBatchRequests = makeCheck(
  'areBatchRequests',
  `must be a list of 1 to ${MAX_REQUESTS} requests.`,
  (value) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_REQUESTS) return false;
    const faults = value.map(fault);
    const at = faults.findIndex((one) => one !== undefined);
    return at < 0 || `holds an invalid request: requests[${at}]${faults[at]}`;
  },
  { type: 'array', minItems: 1, maxItems: MAX_REQUESTS },
);

/** Several writes in one request. */
@RequiredArgs('requests')
export class BatchDto {
  @RestArg({
    description: 'With `require-all-validate` nothing runs unless all requests are valid.',
    default: 'normal',
  })
  @IsIn(['normal', 'require-all-validate'])
  validation: 'normal' | 'require-all-validate';

  @RestArg({ description: 'The requests, in their order.', maxLength: MAX_LENGTH.text })
  @AreBatchRequests()
  requests: readonly BatchRequest[];
}
