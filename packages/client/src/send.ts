import type { Auth } from './auth.js';

/** Sends one request. */
export type Send = (request: Request) => Promise<Response>;

/** Sending one of these twice leaves what sending it once does. */
const IDEMPOTENT = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];
const BUSY = [429, 503];
/** A server that wants to be left alone for longer says no for now. */
const MAX_WAIT_MS = 30_000;

/**
 * Adds credentials, and asks again what may be asked twice when the server is busy and says when to come back; without
 * `Retry-After` it does not promise that nothing was written.
 */
export function sending(send: Send, retries: number, auth?: Auth): Send {
  return async (request) => {
    const credentials = (typeof auth === 'function' ? await auth() : auth) ?? {};
    for (const [name, value] of Object.entries(credentials)) request.headers.set(name, value);
    const isRepeatable = IDEMPOTENT.includes(request.method) || request.headers.has('Idempotency-Key');
    for (let left = isRepeatable ? retries : 0; left > 0; left--) {
      const response = await send(request.clone());
      const wait = waitOf(response);
      if (wait === undefined) return response;
      await response.body?.cancel();
      await pause(wait, request.signal);
    }
    return send(request);
  };
}

/** Milliseconds until the server wants to be asked again; undefined where it is not worth waiting. */
function waitOf({ status, headers }: Response): number | undefined {
  const after = headers.get('Retry-After');
  if (after === null || !BUSY.includes(status)) return undefined;
  const wait = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now();
  return wait <= MAX_WAIT_MS ? Math.max(wait, 0) : undefined;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
