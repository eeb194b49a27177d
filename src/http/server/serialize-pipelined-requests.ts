import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Maximum queued requests of one connection; above it the connection is closed. */
const MAX_WAITING = 100;

/**
 * Handles the requests of a connection one after the other, so that pipelining gets no more time, memory and statements than
 * waiting for each response.
 */
export function serializePipelinedRequests(handle: Listener): Listener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    // A response gets its connection when those before it are sent.
    if (response.socket) return handle(request, response);
    const { socket } = request;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    if (count > MAX_WAITING) socket.destroy();
    else
      response.once('socket', () => {
        waiting.set(socket, (waiting.get(socket) ?? 0) - 1);
        setImmediate(handle, request, response);
      });
  };
}
