import type { IncomingHttpHeaders } from 'node:http';
import { type Caller, credentials } from './calendar-client.js';
import { type RawRequest, rawRequest } from './raw-request.js';

/** Sends a request as a user of the recorded site or anonymously; `path` starts at the server's root. */
export type Ask = (
  path: string,
  request?: Omit<RawRequest, 'path'> & { as?: Caller; json?: unknown; form?: string },
) => Promise<ProtocolResponse>;

/** A response with its body parsed; an empty object without one. */
export interface ProtocolResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  body: Record<string, unknown>;
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Sends requests to a server at this root without normalizing them. */
export function askOf(url: string): Ask {
  return async (path, { as = 'anonymous', json, form, headers, ...more } = {}) => {
    const body = json === undefined ? form : JSON.stringify(json);
    const type =
      json === undefined ? (form === undefined ? {} : FORM) : { 'Content-Type': 'application/json' };
    const sent = { body, ...more, path, headers: { ...type, ...credentials(as), ...headers } };
    const { status, headers: got, text } = await rawRequest(url, sent);
    const parsed: unknown = /^[{[]/.test(text) ? JSON.parse(text) : {};
    return { status, headers: got, text, body: parsed as ProtocolResponse['body'] };
  };
}
