import { Refusal } from '../../common/errors/refusal.js';
import { Answer } from '../answer.js';

/** An error in the recorded shape: the status is repeated in `data`. */
export function errorAnswer(status: number, code: string, message: string, data: object = {}): Answer {
  return new Answer({ code, message, data: { status, ...data } }, status);
}

/** What nobody foresaw: only the log tells what. */
export function unexpected(): Answer {
  return errorAnswer(500, 'internal_server_error', 'Something went wrong on the server.');
}

/** No route for this path and method; also answers a known path with a wrong method, as recorded. */
export function noRoute(): Refusal {
  return new Refusal('missing', 'rest_no_route', 'No route was found matching the URL and request method.');
}
