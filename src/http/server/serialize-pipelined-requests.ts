import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Requests of one connection that may wait; who sends more without reading answers loses it. */
const MAX_WAITING = 100;

/**
 * Has the requests of a connection answered one after the other: who sends many at once (pipelining) is given no more time, memory
 * and statements than who waits for each answer.
 */
export function serializePipelinedRequests(answer: Listener): Listener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    // A response gets its connection when those before it are sent.
    if (response.socket) return answer(request, response);
    const { socket } = request;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    if (count > MAX_WAITING) socket.destroy();
    else
      response.once('socket', () => {
        waiting.set(socket, (waiting.get(socket) ?? 0) - 1);
        setImmediate(answer, request, response);
      });
  };
}
