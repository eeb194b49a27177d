import type { IncomingMessage, ServerResponse } from 'node:http';
import { DROPPING_TIME } from '../params/limits.js';
import { bringsBody } from './read-body.js';

/**
 * Lets a client that sends on see its answer: a connection closed over bytes that nobody read takes the answer with it.
 * So it is closed when all has come, or after a while.
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
