import type { IncomingMessage, ServerResponse } from 'node:http';
import { DROPPING_TIME } from '../params/limits.js';
import { bringsBody } from './read-body.js';

/**
 * Reads and drops the rest of a body after the response: closing a connection with unread bytes would discard the response.
 * The connection is closed when all has arrived, or after a timeout.
 */
export function drainRequestBody(request: IncomingMessage, response: ServerResponse): void {
  if (!bringsBody(request.headers)) return;
  const wantsClose = !response.shouldKeepAlive;
  // Node would close at once.
  response.shouldKeepAlive = true;
  response.once('finish', () => {
    const { socket } = request;
    if (request.complete && request.readableEnded) {
      if (wantsClose) socket.end();
      return;
    }
    const timer = setTimeout(() => socket.destroy(), DROPPING_TIME).unref();
    request.once('end', () => {
      clearTimeout(timer);
      if (wantsClose) socket.end();
    });
    request.resume();
  });
}
