import { RestException } from '../../common/errors/rest-exception.js';
import { RestResponse } from '../rest-response.js';

/** An error in the recorded shape: the status is repeated in `data`. */
export function errorResponse(
  status: number,
  code: string,
  message: string,
  data: object = {},
): RestResponse {
  return new RestResponse({ code, message, data: { status, ...data } }, status);
}

/** An unexpected error, whose cause is only in the log. */
export function unexpected(): RestResponse {
  return errorResponse(500, 'internal_server_error', 'Something went wrong on the server.');
}

/** No route for this path and method; also for a known path with a wrong method, as recorded. */
export function noRoute(): RestException {
  return new RestException(
    'not_found',
    'rest_no_route',
    'No route was found matching the URL and request method.',
  );
}
