import { exchange } from '../conformance/run-case.mjs';
import { loadRecording } from './replay.js';

/** Callers by increasing capabilities: anonymous, or a user of the recorded site. */
export const CALLERS = ['anonymous', 'subscriber', 'contributor', 'author', 'editor', 'admin'] as const;
/** A caller. */
export type Caller = (typeof CALLERS)[number];

/** A response; a body that is no object is an empty one. */
export interface Reply {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** Sends one request; `path` follows the namespace, `body` is sent as JSON. */
export type Send = (caller: Caller, method: string, path: string, body?: unknown) => Promise<Reply>;

const { users } = loadRecording('site-a/write');

/** The id of a user of the recorded site; 0 for anonymous. */
export function userId(caller: Caller): number {
  const ids = { anonymous: 0, admin: 1, editor: 2, author: 3, contributor: 4, subscriber: 5 };
  return ids[caller];
}

/** The Authorization header with a user's application password; none for anonymous. */
export function credentials(caller: Caller): Record<string, string> {
  const user = users[caller];
  return user ? basic(user.login, user.password) : {};
}

/** HTTP Basic credentials. */
export function basic(login: string, password: string): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` };
}

/** Requests to a server at this root, as users of the recorded site. */
export function clientOf(url: string): Send {
  return (caller, method, path, body) => request(url, method, path, credentials(caller), body);
}

/** Sends one request with these headers; throws without a response within 30 seconds. */
export async function request(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Reply> {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  // A length, as Node sends the body of a DELETE without one as no part of the request.
  const about: Record<string, string> =
    sent === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': `${Buffer.byteLength(sent)}` };
  const place = `${url}/cal/events/v1${path}`;
  const { status, text, ...answer } = await exchange(place, method, { ...headers, ...about }, sent);
  const parsed: unknown = text === '' ? {} : JSON.parse(text);
  const isObject = parsed !== null && typeof parsed === 'object';
  const said = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, `${value}`]);
  return { status, headers: new Headers(said), body: isObject ? { ...parsed } : {} };
}
