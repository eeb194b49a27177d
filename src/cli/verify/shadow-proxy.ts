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

/** How long the old server may be silent, in milliseconds. */
const SILENCE = 120_000;

/** The largest headers that are passed on, in bytes. */
const LARGEST_HEADERS = 64 * 1024;

/** What belongs to one connection and is not passed on (RFC 9110, 7.6.1). */
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

/** Hears how the old server answers one request, while the answer goes to the client. */
export interface Listener {
  begin(answer: IncomingMessage): void;
  chunk(chunk: Buffer): void;
  /** The answer went out whole. */
  end(): void;
  /** It did not. */
  fail(): void;
}

/** How requests are passed on. */
export interface ProxyOptions {
  /** Whether the old server hears the `Host` that the client sent, not its own. */
  keepHost: boolean;
  /** Who hears of a request; undefined for nobody. */
  listen: (request: IncomingMessage) => Listener | undefined;
}

/** A server that passes every request on to another one, and the answers back, as they come. */
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
        // The old server may close a kept connection at any time: what can not be sent twice gets one of its own.
        agent: isBare && agent,
      });
      let isLate = false;
      upstream.setTimeout(SILENCE, () => {
        isLate = true;
        upstream.destroy(new Error('The old server is silent.'));
      });
      upstream.on('response', (answer) => passBack(answer, outgoing, listener));
      // Nobody asked for it, and without a listener nobody would hear of it.
      upstream.on('upgrade', (_, socket) => {
        socket.destroy();
        refuse(outgoing, 502);
        listener?.fail();
      });
      upstream.on('error', () => {
        if (upstream.reusedSocket && !isLate && !outgoing.headersSent && !outgoing.closed) return pass();
        if (outgoing.headersSent) outgoing.destroy();
        else refuse(outgoing, isLate ? 504 : 502);
        listener?.fail();
      });
      outgoing.on('close', () => upstream.destroy());
      // What goes wrong on the way there is heard of above.
      if (isBare) upstream.end();
      else pipeline(incoming, upstream, () => {});
    };
    pass();
  });
  server.on('close', () => agent.destroy());
  return server;
}

function passBack(answer: IncomingMessage, outgoing: ServerResponse, listener?: Listener): void {
  outgoing.sendDate = false;
  // Signs that are heard and can not be said would end the process.
  const reason = answer.statusMessage?.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
  outgoing.writeHead(answer.statusCode ?? 502, reason, passedOn(answer).flat());
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

function refuse(outgoing: ServerResponse, status: 502 | 504): void {
  const text = JSON.stringify({
    code: 'old_server_silent',
    message: 'The old server does not answer.',
    data: { status },
  });
  outgoing.writeHead(status, { 'Content-Type': 'application/json; charset=UTF-8' }).end(text);
}

/** The path of a request, also of one that names the whole address. */
function pathOf(url: string): string {
  if (url.startsWith('/') || url === '*') return url;
  return URL.canParse(url) ? new URL(url).pathname + new URL(url).search : '/';
}

/** The headers of a message but for those of its connection, in their order and spelling. */
function passedOn({ rawHeaders, headers }: IncomingMessage): [name: string, value: string][] {
  // Without its length a body would arrive as whatever comes behind the request.
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
  // Only a proxy on this machine may say who the client is.
  const isProxied = /^(127\.|::1$|::ffff:127\.)/.test(from);
  const said = (name: (typeof FORWARDED)[number]) => (isProxied ? headers[name] : undefined);
  const kept = passedOn(incoming).filter(([name]) => {
    const lower = name.toLowerCase();
    return (
      lower !== 'host' && !FORWARDED.some((one) => one === lower) && (isProxied || lower !== 'forwarded')
    );
  });
  const pairs: [string, string][] = [
    ['Host', host],
    ...kept,
    ['X-Forwarded-For', [said('x-forwarded-for'), from].filter(Boolean).join(', ')],
    ['X-Forwarded-Host', `${said('x-forwarded-host') ?? headers.host ?? ''}`],
    ['X-Forwarded-Proto', `${said('x-forwarded-proto') ?? 'http'}`],
    ...(headers['transfer-encoding'] !== undefined
      ? [['Transfer-Encoding', 'chunked'] as [string, string]]
      : []),
  ];
  return pairs.flat();
}
