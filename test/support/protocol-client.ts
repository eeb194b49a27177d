import type { IncomingHttpHeaders } from 'node:http';
import { type Caller, credentials } from './calendar-client.js';
import { type RawRequest, rawRequest } from './raw-request.js';

/** One request as a user of the recorded site, or as nobody; `path` starts at the server's root. */
export type Ask = (
  path: string,
  request?: Omit<RawRequest, 'path'> & { as?: Caller; json?: unknown; form?: string },
) => Promise<Told>;

/** An answer with its body parsed; the body is an empty map when there was none. */
export interface Told {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  body: Record<string, unknown>;
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Requests to a server at this root; nothing in them is tidied up on the way. */
export function askOf(url: string): Ask {
  return async (path, { as = 'anonymous', json, form, headers, ...more } = {}) => {
    const body = json === undefined ? form : JSON.stringify(json);
    const type =
      json === undefined ? (form === undefined ? {} : FORM) : { 'Content-Type': 'application/json' };
    const sent = { body, ...more, path, headers: { ...type, ...credentials(as), ...headers } };
    const { status, headers: got, text } = await rawRequest(url, sent);
    const parsed: unknown = /^[{[]/.test(text) ? JSON.parse(text) : {};
    return { status, headers: got, text, body: parsed as Told['body'] };
  };
}
