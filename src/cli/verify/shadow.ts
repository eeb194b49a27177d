import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Environment } from '../../config/env.js';
import { StartError } from '../../database/start-error.js';
import { whyRefused } from '../../errors/system-error.js';
import { alone } from './alone.js';
import type { Answer } from './answer.js';
import { compare } from './compare.js';
import { Findings } from './findings.js';
import { knownAs } from './known-differences.js';
import { Places } from './places.js';
import { answerOf } from './polite-client.js';
import { type Report, reportOf, writeReport } from './report.js';
import { type Listener, makeProxy } from './shadow-proxy.js';
import { baseOf, meet, type Side, withAlmanac } from './sides.js';

/** The largest answer that is compared, and how much of answers may wait altogether, in bytes. */
const LARGEST = 4 * 1024 * 1024;
const MOST_WAITING = 64 * 1024 * 1024;

/** How late Almanac may see what another program wrote, in milliseconds. */
const LATE = 1500;

/** What is passed on and compared, and how. */
export interface ShadowOptions {
  /** The address of the old interface. */
  against: string;
  /** The address of Almanac's; absent: the configured database is served for as long as it takes. */
  with?: string;
  host: string;
  port: number;
  /** How many answers are compared at a time, and how many may wait for it. */
  concurrency: number;
  queue: number;
  /** Whether requests with credentials are compared too: Almanac gets the credentials then. */
  withCredentials: boolean;
  keepHost: boolean;
  /** The name of the report's files, without `.html` and `.json`. */
  report: string;
  /** How often the report is written, in seconds. */
  every: number;
  env?: Environment;
  /** Ends it. */
  signal: AbortSignal;
  /** Hears the address when it listens. */
  listening?: (address: string) => void;
}

/** A request that was answered and waits to be compared. */
interface Job {
  path: string;
  old: Answer;
  /** What makes Almanac answer to the same person. */
  credentials: Record<string, string>;
  bytes: number;
}

/** Passes traffic on until it is told to end; returns the report, which is written from time to time too. */
export async function shadow(options: ShadowOptions): Promise<Report> {
  const against = baseOf(options.against, '--against');
  const manners = { rate: Number.POSITIVE_INFINITY, timeout: 30_000, signal: options.signal };
  const old = await meet(against, manners, 'The old server');
  return withAlmanac(options, manners, (almanac) =>
    alone(options.report, () => new Shadow(options, old, almanac).run()),
  );
}

class Shadow {
  private readonly findings = new Findings();
  private readonly places: Places;
  private readonly began = new Date().toISOString();
  private readonly queue: Job[] = [];
  private readonly basePath: string;
  private bytesWaiting = 0;
  private atWork = 0;
  private written: Promise<unknown> = Promise.resolve();
  private readonly counts = {
    'passed on': 0,
    'not compared: no reads': 0,
    'not compared: outside of the interface': 0,
    'not compared: with credentials': 0,
    'not compared: too many at a time': 0,
    'not compared: answers too large, broken off or unreadable': 0,
  };

  constructor(
    private readonly options: ShadowOptions,
    private readonly old: Side,
    private readonly almanac: Side,
  ) {
    this.places = new Places(old.place, almanac.place);
    this.basePath = new URL(old.client.base).pathname;
  }

  async run(): Promise<Report> {
    const { host, port, signal, every, keepHost, listening } = this.options;
    const target = new URL(this.old.client.base);
    // That it can not be written had better not show after days.
    await this.write(false);
    const server = makeProxy(target, { keepHost, listen: (request) => this.listen(request) });
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) =>
        reject(new StartError(`Nothing can listen at ${host}:${port}: ${whyRefused(error)}.`)),
      );
      server.listen(port, host, resolve);
    });
    const { port: bound } = server.address() as AddressInfo;
    listening?.(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`);
    const writing = setInterval(() => void this.write(false).catch(() => {}), every * 1000);
    try {
      if (!signal.aborted)
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    } finally {
      clearInterval(writing);
      await closed(server);
    }
    while (this.atWork > 0) await sleep(20);
    return this.write(true);
  }

  private async write(isComplete: boolean): Promise<Report> {
    const { with: other, report: file } = this.options;
    const subject = { against: this.old.client.base, ...(other !== undefined && { with: other }) };
    const report = reportOf('almanac shadow', subject, this.began, isComplete, this.findings, {
      ...this.counts,
    });
    // One after the other: each exchanges the same files.
    const writing = this.written.catch(() => {}).then(() => writeReport(file, report));
    this.written = writing;
    await writing;
    return report;
  }

  /** Listens to what can be compared, and counts the rest. */
  private listen({ method, url = '', headers }: IncomingMessage): Listener | undefined {
    const { counts } = this;
    counts['passed on'] += 1;
    const path = url.startsWith(this.basePath) ? url.slice(this.basePath.length) : undefined;
    const asksForPart = ['range', 'if-none-match', 'if-modified-since'].some((name) => name in headers);
    // A login cookie without a nonce says nothing to either server, nor do those of other programs.
    const hasCredentials =
      'authorization' in headers ||
      'x-wp-nonce' in headers ||
      /\bwp-postpass_/.test(headers.cookie ?? '') ||
      /[?&](post_)?password=|_wpnonce=/.test(url);
    const why =
      method !== 'GET' || asksForPart || 'x-http-method-override' in headers || /[?&]_method=/.test(url)
        ? 'not compared: no reads'
        : path === undefined || !/^($|[/?])/.test(path)
          ? 'not compared: outside of the interface'
          : hasCredentials && !this.options.withCredentials
            ? 'not compared: with credentials'
            : this.queue.length >= this.options.queue || this.bytesWaiting > MOST_WAITING
              ? 'not compared: too many at a time'
              : undefined;
    if (why === undefined && path !== undefined) return this.copying(path, hasCredentials ? headers : {});
    counts[why ?? 'not compared: outside of the interface'] += 1;
    return undefined;
  }

  private copying(path: string, { authorization, cookie, ...headers }: IncomingHttpHeaders): Listener {
    const nonce = headers['x-wp-nonce'];
    const credentials = {
      ...(authorization && { authorization }),
      ...(cookie && { cookie }),
      ...(typeof nonce === 'string' && { 'x-wp-nonce': nonce }),
    };
    let chunks: Buffer[] | undefined = [];
    let bytes = 0;
    let answer: IncomingMessage | undefined;
    const giveUp = () => {
      if (!chunks) return;
      chunks = undefined;
      this.bytesWaiting -= bytes;
      this.counts['not compared: answers too large, broken off or unreadable'] += 1;
    };
    return {
      begin: (begun) => {
        answer = begun;
      },
      chunk: (chunk) => {
        if (!chunks) return;
        chunks.push(chunk);
        bytes += chunk.length;
        this.bytesWaiting += chunk.length;
        if (bytes > LARGEST) giveUp();
      },
      end: () => {
        if (!chunks || !answer) return;
        const body = Buffer.concat(chunks);
        chunks = undefined;
        void this.enqueue(path, answer, body, credentials);
      },
      fail: giveUp,
    };
  }

  private async enqueue(
    path: string,
    answer: IncomingMessage,
    body: Buffer,
    credentials: Record<string, string>,
  ): Promise<void> {
    const encoding = answer.headers['content-encoding'];
    const text = await decoded(body, encoding).catch(() => undefined);
    // What was small on its way may be large now.
    const bytes = text === undefined ? 0 : body.length + text.length;
    this.bytesWaiting += bytes - body.length;
    if (text === undefined) {
      this.counts['not compared: answers too large, broken off or unreadable'] += 1;
      return;
    }
    if (this.bytesWaiting > MOST_WAITING) {
      this.bytesWaiting -= bytes;
      this.counts['not compared: too many at a time'] += 1;
      return;
    }
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers))
      for (const one of [value].flat()) if (one !== undefined) headers.append(name, one);
    const old = answerOf(answer.statusCode ?? 0, headers, text);
    this.queue.push({ path, old, credentials, bytes });
    if (this.atWork < this.options.concurrency) void this.work();
  }

  private async work(): Promise<void> {
    this.atWork += 1;
    for (let job = this.queue.shift(); job && !this.options.signal.aborted; job = this.queue.shift()) {
      // Whatever a strange answer brings about: the clients go on being answered.
      await this.check(job).catch(() => {
        this.counts['not compared: answers too large, broken off or unreadable'] += 1;
      });
      this.bytesWaiting -= job.bytes;
    }
    this.atWork -= 1;
  }

  private async check({ path, old, credentials }: Job): Promise<void> {
    const ask = { path };
    if (old.status >= 500 || old.status === 429) return this.findings.unanswered(ask, `${old.status}`);
    const isSignedIn = Object.keys(credentials).length > 0;
    const look = async () => {
      const now = await this.almanac.client.askOnce(path, credentials);
      const { level, differences } = compare(ask, old, now, this.places);
      const circumstances = { ask, old, now, isSignedIn };
      return {
        level,
        judged: differences.map((one) => ({ ...one, known: knownAs(one, circumstances) })),
      };
    };
    let { level, judged } = await look();
    // Almanac may see a change a second later than PHP, which made it.
    if (judged.some((one) => one.known === undefined && !this.findings.isSettled(one))) {
      await sleep(LATE, undefined, { signal: this.options.signal }).catch(() => {});
      ({ level, judged } = await look());
    }
    if (!this.options.signal.aborted) this.findings.count(ask, level, judged);
  }
}

/** Ends a server once its answers are out, after five seconds at most. */
async function closed(server: Server): Promise<void> {
  const end = setTimeout(() => server.closeAllConnections(), 5000);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(end);
}

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

/** The text of a body, however it was compressed. */
async function decoded(body: Buffer, encoding = 'identity'): Promise<string> {
  if (encoding === 'identity' || body.length === 0) return body.toString('utf8');
  const known = Object.keys(DECODERS).find((name) => name === encoding.toLowerCase()) as
    | keyof typeof DECODERS
    | undefined;
  if (!known) throw new Error(`not known: ${encoding}`);
  return (await DECODERS[known](body, { maxOutputLength: LARGEST * 4 })).toString('utf8');
}
