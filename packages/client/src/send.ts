import type { Auth, Credentials } from './auth.js';

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
  const patient = resending(send, retries);
  return async (request) => {
    if (typeof auth !== 'function') return patient(withCredentials(request, auth));
    const credentials = await auth();
    const copy = request.clone();
    const response = await patient(withCredentials(request, credentials));
    // Nothing was written. Signing in again is up to the function.
    const renewed = response.status === 401 && credentials ? await auth(credentials) : undefined;
    if (renewed === undefined || JSON.stringify(renewed) === JSON.stringify(credentials)) return response;
    await response.body?.cancel();
    return patient(withCredentials(copy, renewed));
  };
}

function withCredentials(request: Request, credentials: Credentials = {}): Request {
  for (const [name, value] of Object.entries(credentials)) request.headers.set(name, value);
  return request;
}

function resending(send: Send, retries: number): Send {
  return async (request) => {
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

/** Waits for so many milliseconds; rejects with the signal's reason. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
