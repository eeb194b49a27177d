import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Calendar, Credentials } from './calendar.js';
import { createMcpServer } from './server.js';

/** How the HTTP server is reached. */
export interface HttpOptions {
  calendar: Calendar;
  isReadOnly: boolean;
  /** Names that the `Host` header may have, without a port. */
  hosts: readonly string[];
  /** Origins of web pages that may call it, such as `https://chat.example.org`. */
  origins: readonly string[];
}

const PATH = '/mcp';
/** Twice the longest description that the interface takes. */
const MAX_BODY_BYTES = 1_000_000;
const MAX_REQUESTS = 64;
const MAX_CONNECTIONS = 500;
const RECEIVE_TIMEOUT_MS = 30_000;

/**
 * The protocol over streamable HTTP, at `/mcp`. Each request is a session of its own, with the caller of its `Authorization`
 * header: nothing outlives it.
 */
export function createHttpServer(options: HttpOptions): Server {
  let running = 0;
  const server = createServer({ requestTimeout: RECEIVE_TIMEOUT_MS }, async (request, response) => {
    const rejection = checkRequest(request, options, running);
    if (rejection) return reject(response, ...rejection);
    allowOrigin(request, response);
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    running++;
    try {
      await handle(request, response, options);
    } catch {
      reject(response, 500, 'Internal error');
    } finally {
      running--;
    }
  });
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

type Rejection = [status: number, message: string];

/** Foreign names and origins are those of a page whose name leads to this machine. */
function checkRequest(
  { headers, method, url }: IncomingMessage,
  { hosts, origins }: HttpOptions,
  running: number,
): Rejection | undefined {
  if (!hosts.includes(hostName(headers.host))) return [403, 'Host not allowed'];
  if (headers.origin !== undefined && !origins.includes(headers.origin)) return [403, 'Origin not allowed'];
  if (url?.split('?')[0] !== PATH) return [404, `Not found: the address ends with ${PATH}`];
  if (method !== 'POST' && method !== 'OPTIONS') return [405, 'Method not allowed: there are no sessions'];
  return running >= MAX_REQUESTS ? [503, 'Busy'] : undefined;
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  { calendar, isReadOnly }: HttpOptions,
): Promise<void> {
  const message = await readMessage(request);
  if (message === undefined) return reject(response, 413, `Body larger than ${MAX_BODY_BYTES} bytes`);
  if (message.json === undefined) return reject(response, 400, 'Body is no JSON', -32700);
  if (Array.isArray(message.json)) return reject(response, 400, 'Batches are not supported', -32600);
  const server = createMcpServer({ calendar, credentials: credentialsOf(request), isReadOnly });
  // JSON in place of a stream: every request has one answer.
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  response.on('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response, message.json);
  if (!response.writableFinished && !response.destroyed)
    await new Promise<void>((resolve) => response.on('close', resolve));
}

/** The caller's own login, and his address, by which the calendar counts failed ones. */
function credentialsOf({ headers, socket }: IncomingMessage): Credentials {
  const { authorization } = headers;
  const addresses = [headers['x-forwarded-for'], socket.remoteAddress].filter(Boolean);
  return {
    'X-Forwarded-For': addresses.join(', '),
    ...(authorization === undefined ? {} : { Authorization: authorization }),
  };
}

/** The parsed body; undefined if it is too large. */
async function readMessage(request: IncomingMessage): Promise<{ json?: unknown } | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    return { json: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  } catch {
    return {};
  }
}

/** The name in a `Host` header, without its port; empty if there is none. */
function hostName(host = ''): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
}

function allowOrigin({ headers }: IncomingMessage, response: ServerResponse): void {
  if (headers.origin === undefined) return;
  response.setHeader('Access-Control-Allow-Origin', headers.origin);
  response.setHeader(
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type, Accept, Mcp-Protocol-Version',
  );
  response.setHeader('Access-Control-Allow-Methods', 'POST');
  response.setHeader('Vary', 'Origin');
}

function reject(response: ServerResponse, status: number, message: string, code = -32000): void {
  if (response.headersSent) return void response.destroy();
  const headers = { 'Content-Type': 'application/json', Connection: 'close' };
  response
    .writeHead(status, status === 503 ? { ...headers, 'Retry-After': '1' } : headers)
    .end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}
