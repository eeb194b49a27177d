import type { IncomingMessage } from 'node:http';
import { prefersToJson } from '../http/params/accept.js';

/** The path of the changes, which an `Accept` that prefers `text/event-stream` to JSON asks for as a stream. */
export function changesPath(
  path: string,
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
): string | undefined {
  if ((method !== 'GET' && method !== 'HEAD') || !/^\/changes$/i.test(path)) return undefined;
  return prefersToJson('text/event-stream', headers.accept) ? '/changes/stream' : '/changes';
}
