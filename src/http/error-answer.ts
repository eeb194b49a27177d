import { type Reason, Refusal } from '../errors/refusal.js';
import { Answer } from './answer.js';

type Headers = Readonly<Record<string, string>>;

const SOON = { 'Retry-After': '1' };

/** How each reason is answered; 401 instead of 403 tells nobody in particular that signing in may help. */
const STATUSES: Readonly<Record<Reason, { status: number; headers?: Headers }>> = {
  invalid: { status: 400 },
  not_allowed: { status: 403 },
  closed: { status: 403 },
  missing: { status: 404 },
  gone: { status: 410 },
  too_large: { status: 413 },
  busy: { status: 503, headers: SOON },
  unconfirmed: { status: 503 },
  unexpected: { status: 500 },
};

/** A refusal as an answer. */
export function refusalAnswer({ reason, code, message, details }: Refusal, signedIn: boolean): Answer {
  const { status, headers } = STATUSES[reason];
  const shown = reason === 'not_allowed' && !signedIn ? 401 : status;
  return errorAnswer(shown, code, message, details.data, details.beside, headers);
}

/** An error in the recorded shape: the status is repeated in `data`. */
export function errorAnswer(
  status: number,
  code: string,
  message: string,
  data: object = {},
  beside: object = {},
  headers: Headers = {},
): Answer {
  return new Answer({ code, message, data: { status, ...data }, ...beside }, status, headers);
}

/** No route for this path and method; also answers a known path with a wrong method, as recorded. */
export function noRoute(): Refusal {
  return new Refusal('missing', 'rest_no_route', 'No route was found matching the URL and request method.');
}
