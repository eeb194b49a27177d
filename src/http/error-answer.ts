import { Refusal } from '../errors/refusal.js';
import { Answer } from './answer.js';

type Headers = Readonly<Record<string, string>>;

/** A refusal as an answer. */
export function refusalAnswer(refusal: Refusal): Answer {
  // Later it may go well.
  const headers: Headers = refusal.reason === 'busy' ? { 'Retry-After': '1' } : {};
  return new Answer(refusal.getResponse(), refusal.getStatus(), headers);
}

/** An error in the recorded shape: the status is repeated in `data`. */
export function errorAnswer(
  status: number,
  code: string,
  message: string,
  data: object = {},
  headers: Headers = {},
): Answer {
  return new Answer({ code, message, data: { status, ...data } }, status, headers);
}

/** No route for this path and method; also answers a known path with a wrong method, as recorded. */
export function noRoute(): Refusal {
  return new Refusal('missing', 'rest_no_route', 'No route was found matching the URL and request method.');
}
