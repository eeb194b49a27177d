import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { REST_BASE_URL } from './app.js';

/** The path of the old interface. */
const OLD_PATH = '/wp-json/tribe/events/v1';

/** The public URL of an old server's links. */
export const OLD_ROOT = 'https://old.example/wp-json';

/** A response that a seeded difference may change. */
export interface OldAnswer {
  /** The path below the interface, such as `/events?page=2`. */
  path: string;
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: whatever an answer holds
  json: any;
}

/** A server that responds as Almanac does, at another URL and under the plugin's name, with seeded differences. */
export interface OldServer {
  /** The URL of its interface. */
  url: string;
  /** Its requests in order: method and path. */
  requests: string[];
  /** The maximum of concurrent requests. */
  mostAtOnce(): number;
  close(): Promise<void>;
}

/** Starts one in front of a running Almanac; `handle` may respond itself, by returning true. */
export async function startOldServer(
  almanac: string,
  change: (answer: OldAnswer) => void = () => {},
  handle: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
): Promise<OldServer> {
  const requests: string[] = [];
  let [now, most] = [0, 0];
  const server = createServer((request, response) => {
    most = Math.max(most, ++now);
    response.on('close', () => {
      now -= 1;
    });
    requests.push(`${request.method} ${request.url}`);
    if (handle(request, response)) return;
    answer(almanac, change, request, response).catch((error: Error) => {
      process.stderr.write(`${request.url}: ${error.stack}`);
      response.writeHead(418).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${OLD_PATH}`,
    requests,
    mostAtOnce: () => most,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(
  almanac: string,
  change: (answer: OldAnswer) => void,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '').replace(OLD_PATH, '');
  const { authorization } = request.headers;
  const came = await fetch(`${almanac}/cal/events/v1${path}`, {
    headers: { ...(authorization && { authorization }) },
  });
  const text = (await came.text())
    .replaceAll(escaped(REST_BASE_URL), escaped(OLD_ROOT))
    .replaceAll('cal\\/events\\/v1', 'tribe\\/events\\/v1');
  const headers = Object.fromEntries(
    [...came.headers].filter(
      ([name]) =>
        !/^(connection|content-length|transfer-encoding|keep-alive|date|etag|content-encoding)$/.test(name),
    ),
  );
  headers['link'] = `<${OLD_ROOT}/>; rel="https://api.w.org/"`;
  const sent: OldAnswer = { path, status: came.status, headers, json: JSON.parse(text) };
  change(sent);
  response.writeHead(sent.status, sent.headers);
  response.end(
    JSON.stringify(sent.json)
      .replaceAll('/', '\\/')
      .replace(/[\u0080-\uffff]/g, asEscape),
  );
}

const escaped = (address: string): string => address.replaceAll('/', '\\/');
const asEscape = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
