import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** A request that is sent without normalization. */
export interface RawRequest {
  method?: string;
  /** Path and query, percent-encoded by the caller where needed. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** Timeout in milliseconds; default: none. */
  timeoutMs?: number;
}

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Milliseconds from sending to the last byte. */
  took: number;
}

/** Sends a request that `fetch` would reject or normalize, optionally over an agent's connection. */
export function rawRequest(
  url: string,
  { method = 'GET', path, headers, body, timeoutMs }: RawRequest,
  agent?: Agent,
): Promise<RawAnswer> {
  const { protocol, hostname, port } = new URL(url);
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const signal = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const sent = request(
      { agent, protocol, hostname, port, method, path, headers: { ...length, ...headers }, signal },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('error', reject);
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const text = decoded(Buffer.concat(chunks), answer.headers['content-encoding']).toString('utf8');
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text,
            took: performance.now() - begun,
          });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

function decoded(body: Buffer, encoding: string | undefined): Buffer {
  // A response to HEAD has none, whatever its headers say.
  if (body.length === 0) return body;
  if (encoding === 'br') return brotliDecompressSync(body);
  return encoding === 'gzip' ? gunzipSync(body) : body;
}
