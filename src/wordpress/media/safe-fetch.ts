import { lookup } from 'node:dns/promises';
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { withTimeLimit } from '../../common/time-limit.js';

/** An image, or another file, cannot be used; the message completes "image …" and is part of the response. */
export class ImageRejected extends Error {}

interface HostAddress {
  address: string;
  family: number;
}

/** Options for tests; the server uses the defaults. */
export interface SafeFetchOptions {
  /** Resolves all addresses of a host name, once per hop. */
  resolve: (host: string) => Promise<HostAddress[]>;
  /** Allows further addresses, for local test servers. */
  alsoAllow: (address: string, port: number) => boolean;
  /** The time limit of the download with its redirects. */
  milliseconds: number;
  bytes: number;
}

const DEFAULTS: SafeFetchOptions = {
  resolve: (host) => lookup(host, { all: true }),
  alsoAllow: () => false,
  milliseconds: 10_000,
  bytes: 10 * 1024 * 1024,
};

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 3;
/** The ports allowed by WordPress. */
const PORTS = new Set([80, 443, 8080]);

/** The name in requests, which robots.txt may name. */
export const USER_AGENT = 'Almanac';
const HEADERS = {
  'User-Agent': USER_AGENT,
  // A compressed response could expand beyond the limit.
  'Accept-Encoding': 'identity',
};
const IMAGES = { Accept: 'image/avif, image/webp, image/png, image/jpeg, image/gif' };

/** What is sent and allowed besides the options. */
export interface FetchInput {
  headers: Readonly<Record<string, string>>;
  /** Called before each hop; throws to reject it. */
  check?: (target: URL) => Promise<void>;
  milliseconds?: number;
  bytes?: number;
  /** Ends the download early. */
  signal?: AbortSignal | undefined;
}

/** A response after all redirects; the body of other statuses than 200 is not read. */
export interface Fetched {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** What is posted, and its limits. */
export interface PostInput {
  headers: Readonly<Record<string, string>>;
  body: string;
  milliseconds: number;
  /** The response is read up to here, and discarded. */
  bytes: number;
  signal: AbortSignal;
}

/** Sends to public addresses only (no SSRF): each host is resolved once, checked and pinned. */
export class SafeFetch {
  private readonly options: SafeFetchOptions;

  constructor(options: Partial<SafeFetchOptions> = {}) {
    this.options = { ...DEFAULTS, ...options };
  }

  /** The body of a response 200; throws `ImageRejected` otherwise. */
  async download(url: string): Promise<Buffer> {
    const { status, body } = await this.fetch(url, { headers: IMAGES });
    if (status !== 200) throw new ImageRejected(`is answered with the status ${status}.`);
    return body;
  }

  /** Follows redirects to a response of any other status; throws `ImageRejected`. */
  async fetch(url: string, input: FetchInput): Promise<Fetched> {
    const options = { ...this.options, ...input };
    const signals = input.signal ? [input.signal] : [];
    return withTimeLimit(options.milliseconds, signals, (signal) => this.follow(url, options, signal));
  }

  private async follow(
    url: string,
    { milliseconds, bytes, headers, check }: SafeFetchOptions & FetchInput,
    signal: AbortSignal,
  ): Promise<Fetched> {
    try {
      let target = httpUrl(url);
      for (let redirects = 0; ; redirects++) {
        if (check) await unlessAborted(check(target), signal);
        const response = await this.send('GET', target, { ...HEADERS, ...headers }, signal);
        const { statusCode: status = 0 } = response;
        if (status === 200)
          return { status, headers: response.headers, body: await this.body(response, bytes) };
        response.destroy();
        if (!REDIRECTS.has(status)) return { status, headers: response.headers, body: Buffer.alloc(0) };
        if (redirects === MAX_REDIRECTS)
          throw new ImageRejected(`is redirected more than ${MAX_REDIRECTS} times.`);
        target = httpUrl(response.headers.location ?? '', target);
      }
    } catch (error) {
      if (error instanceof ImageRejected) throw error;
      if (signal.aborted) throw new ImageRejected(`did not arrive within ${milliseconds / 1000} seconds.`);
      // Details would reveal the network around the server.
      throw new ImageRejected('could not be downloaded.');
    }
  }

  /** Posts without following redirects and returns the status; throws `ImageRejected` for a rejected address. */
  async post(url: string, input: PostInput): Promise<number> {
    const { headers, body, milliseconds, bytes } = input;
    const sent = { ...HEADERS, ...headers, 'Content-Length': String(Buffer.byteLength(body)) };
    return withTimeLimit(milliseconds, [input.signal], async (signal) => {
      const response = await this.send('POST', httpUrl(url), sent, signal, body);
      try {
        let length = 0;
        // The receiver may still work until its response ends.
        for await (const chunk of response) {
          length += (chunk as Buffer).length;
          if (length > bytes) break;
        }
        return response.statusCode ?? 0;
      } finally {
        response.destroy();
      }
    });
  }

  private async send(
    method: 'GET' | 'POST',
    target: URL,
    headers: FetchInput['headers'],
    signal: AbortSignal,
    body?: string,
  ): Promise<IncomingMessage> {
    const addresses = await unlessAborted(this.addresses(target), signal);
    const options: RequestOptions = { method, headers, agent: false, lookup: pinned(addresses), signal };
    const request = target.protocol === 'https:' ? requestHttps : requestHttp;
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      request(target, options, resolve).on('error', reject).end(body);
    });
    // Node reports a protocol switch (101) neither as a response nor as an error.
    return unlessAborted(response, signal);
  }

  /** The addresses of a host, all of which must be allowed. */
  private async addresses({ hostname, port, protocol }: URL): Promise<HostAddress[]> {
    const host = hostname.replace(/^\[|\]$/g, '');
    const family = isIP(host);
    const found = family ? [{ address: host, family }] : await this.options.resolve(host).catch(() => []);
    const number = Number(port) || (protocol === 'https:' ? 443 : 80);
    const isAllowed = ({ address }: HostAddress) =>
      (PORTS.has(number) && isPublicAddress(address)) || this.options.alsoAllow(address, number);
    if (found.length === 0 || !found.every(isAllowed))
      throw new ImageRejected('must be on a public address, on port 80, 443 or 8080.');
    return found;
  }

  private async body(response: IncomingMessage, most: number): Promise<Buffer> {
    const { headers } = response;
    const tooLarge = new ImageRejected(`is larger than ${most / 1024 / 1024} MB.`);
    try {
      if (!/^(identity)?$/i.test(headers['content-encoding'] ?? ''))
        throw new ImageRejected('is sent compressed.');
      if (Number(headers['content-length']) > most) throw tooLarge;
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of response) {
        length += (chunk as Buffer).length;
        if (length > most) throw tooLarge;
        chunks.push(chunk as Buffer);
      }
      return Buffer.concat(chunks, length);
    } finally {
      response.destroy();
    }
  }
}

/** Parses an http(s) URL; throws `ImageRejected` for other schemes and for credentials. */
export function httpUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ImageRejected('must be the id of an image or an http(s) URL.');
  if (url.username !== '' || url.password !== '') throw new ImageRejected('must not hold credentials.');
  return url;
}

function pinned(addresses: readonly HostAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

type ImageReference = { id: number } | { url: string };

/** In characters, the limit of old browsers. */
const MAX_URL_LENGTH = 2000;

/** Parses an attachment id or, with `mayUpload`, an http(s) URL; throws `ImageRejected` for others. */
export function parseImageReference(value: string, { mayUpload }: { mayUpload: boolean }): ImageReference {
  if (/^\s*\d+\s*$/.test(value)) return { id: Number(value) };
  const url = value.trim();
  httpUrl(url);
  if (!mayUpload) throw new ImageRejected('must be the id of an image: you may not upload files.');
  if (url.length > MAX_URL_LENGTH) throw new ImageRejected(`is longer than ${MAX_URL_LENGTH} characters.`);
  return { url };
}

/** Azure's metadata service, on a public address. */
const CLOUD_METADATA = '168.63.129.16';
/** The routed part of IPv6; ipaddr.js knows special ranges only. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether a literal IP address is public; false for invalid and scoped ones. */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js also parses `127.1`, `0x7f000001` and `010.0.0.1`.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || address === CLOUD_METADATA) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
}
