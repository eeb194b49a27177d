import {
  createServer,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream';

/** Timeout of the old server in milliseconds. */
const SILENCE = 120_000;

/** Maximum bytes of forwarded headers. */
const LARGEST_HEADERS = 64 * 1024;

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'] as const;

/** Receives the old server's response while it is sent to the client. */
export interface Listener {
  begin(answer: IncomingMessage): void;
  chunk(chunk: Buffer): void;
  /** The response was sent completely. */
  end(): void;
  fail(): void;
}

interface ProxyOptions {
  /** Whether the client's `Host` is forwarded instead of the old server's. */
  keepHost: boolean;
  /** Returns a listener for a request, or undefined. */
  listen: (request: IncomingMessage) => Listener | undefined;
}

/** Creates a server that proxies all requests as a stream. */
export function makeProxy(target: URL, { keepHost, listen }: ProxyOptions): Server {
  const isSecure = target.protocol === 'https:';
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const send = isSecure ? requestHttps : requestHttp;
  const server = createServer({ maxHeaderSize: LARGEST_HEADERS }, (incoming, outgoing) => {
    const listener = listen(incoming);
    const { method = 'GET' } = incoming;
    const isBare = (method === 'GET' || method === 'HEAD') && !hasBody(incoming);
    const pass = () => {
      const upstream = send({
        hostname: target.hostname.replace(/^\[|\]$/g, ''),
        port: target.port || (isSecure ? 443 : 80),
        method,
        path: pathOf(incoming.url ?? '/'),
        headers: requestHeaders(incoming, keepHost ? incoming.headers.host : target.host),
        maxHeaderSize: LARGEST_HEADERS,
        // The old server may close a keep-alive connection at any time, so requests that cannot be repeated get a new
        // one.
        agent: isBare && agent,
      });
      let isLate = false;
      upstream.setTimeout(SILENCE, () => {
        isLate = true;
        upstream.destroy(new Error('The old server is silent.'));
      });
      upstream.on('response', (answer) => forwardResponse(answer, outgoing, listener));
      // The unrequested upgrade would otherwise stay open.
      upstream.on('upgrade', (_, socket) => {
        socket.destroy();
        sendGatewayError(outgoing, 502);
        listener?.fail();
      });
      upstream.on('error', () => {
        if (upstream.reusedSocket && !isLate && !outgoing.headersSent && !outgoing.closed) return pass();
        if (outgoing.headersSent) outgoing.destroy();
        else sendGatewayError(outgoing, isLate ? 504 : 502);
        listener?.fail();
      });
      outgoing.on('close', () => upstream.destroy());
      // Errors of the upstream request are handled above.
      if (isBare) upstream.end();
      else pipeline(incoming, upstream, () => {});
    };
    pass();
  });
  server.on('close', () => agent.destroy());
  return server;
}

function forwardResponse(answer: IncomingMessage, outgoing: ServerResponse, listener?: Listener): void {
  outgoing.sendDate = false;
  // Characters that can be received but not sent would throw.
  const reason = answer.statusMessage?.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
  outgoing.writeHead(answer.statusCode ?? 502, reason, forwardedHeaders(answer).flat());
  listener?.begin(answer);
  if (listener) answer.on('data', (chunk: Buffer) => listener.chunk(chunk));
  pipeline(answer, outgoing, (error) => {
    if (error) {
      outgoing.destroy();
      listener?.fail();
    } else listener?.end();
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

function sendGatewayError(outgoing: ServerResponse, status: 502 | 504): void {
  const text = JSON.stringify({
    code: 'old_server_silent',
    message: 'The old server does not answer.',
    data: { status },
  });
  outgoing.writeHead(status, { 'Content-Type': 'application/json; charset=UTF-8' }).end(text);
}

/** The path of a request, which may have an absolute URL. */
function pathOf(url: string): string {
  if (url.startsWith('/') || url === '*') return url;
  return URL.canParse(url) ? new URL(url).pathname + new URL(url).search : '/';
}

/** End-to-end headers in their order and spelling. */
function forwardedHeaders({ rawHeaders, headers }: IncomingMessage): [name: string, value: string][] {
  // A body without its length would be read as the next request.
  const named = (headers.connection ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
    .filter((name) => name !== 'content-length');
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (HOP_BY_HOP.has(name.toLowerCase()) || named.includes(name.toLowerCase())) continue;
    pairs.push([name, rawHeaders[at + 1] ?? '']);
  }
  return pairs;
}

function requestHeaders(incoming: IncomingMessage, host = ''): string[] {
  const { headers, socket } = incoming;
  const from = socket.remoteAddress ?? '';
  // Only a local proxy may set the client's address.
  const isProxied = /^(127\.|::1$|::ffff:127\.)/.test(from);
  const said = (name: (typeof FORWARDED)[number]) => (isProxied ? headers[name] : undefined);
  const forwarded = forwardedHeaders(incoming).filter(([name]) => {
    const lower = name.toLowerCase();
    return (
      lower !== 'host' && !FORWARDED.some((one) => one === lower) && (isProxied || lower !== 'forwarded')
    );
  });
  const pairs: [string, string][] = [
    ['Host', host],
    ...forwarded,
    ['X-Forwarded-For', [said('x-forwarded-for'), from].filter(Boolean).join(', ')],
    ['X-Forwarded-Host', `${said('x-forwarded-host') ?? headers.host ?? ''}`],
    ['X-Forwarded-Proto', `${said('x-forwarded-proto') ?? 'http'}`],
    ...(headers['transfer-encoding'] !== undefined
      ? [['Transfer-Encoding', 'chunked'] as [string, string]]
      : []),
  ];
  return pairs.flat();
}
