import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Semaphore } from '../../cache/semaphore.js';
import { systemErrorMessage } from '../../common/errors/system-error-message.js';
import type { Environment } from '../../config/env.js';
import { StartError } from '../../database/start-error.js';
import { ComparisonThread } from './comparison-thread.js';
import { Findings } from './findings.js';
import type { RawResponse } from './raw-response.js';
import { type Report, reportOf, writeReport } from './report.js';
import { runExclusively } from './report-files.js';
import { type Listener, makeProxy } from './shadow-proxy.js';
import { baseOf, connect, type Side, withAlmanac } from './sides.js';

/** Maximum bytes of a compared response, and of all waiting ones, as received. */
const LARGEST = 4 * 1024 * 1024;
const MAX_WAITING = 64 * 1024 * 1024;

/** Milliseconds by which Almanac may see foreign writes late. */
const LATE = 1500;

export interface ShadowOptions {
  against: string;
  /** URL of Almanac; by default it serves the configured database meanwhile. */
  with?: string;
  host: string;
  port: number;
  /** Concurrent comparisons, and maximum waiting ones. */
  concurrency: number;
  queue: number;
  /** Whether requests with credentials are compared too, sending them to Almanac. */
  withCredentials: boolean;
  keepHost: boolean;
  /** Name of the report's files, without `.html` and `.json`. */
  report: string;
  /** Interval of the report in seconds. */
  every: number;
  /** Thread for comparisons; by default a thread of this process. */
  thread?: ComparisonThread;
  env?: Environment;
  signal: AbortSignal;
  /** Called with the address once listening. */
  listening?: (address: string) => void;
}

/** An answered request waiting for comparison. */
interface Job {
  path: string;
  old: RawResponse;
  /** Headers that authenticate the same user at Almanac. */
  credentials: Record<string, string>;
}

/** Proxies traffic until aborted; returns the report, which is also written at intervals. */
export async function shadow(options: ShadowOptions): Promise<Report> {
  const against = baseOf(options.against, '--against');
  const clientOptions = { rate: Number.POSITIVE_INFINITY, timeout: 30_000, signal: options.signal };
  const old = await connect(against, clientOptions, 'The old server');
  return withAlmanac(options, clientOptions, (almanac) =>
    runExclusively(options.report, () => new Shadow(options, old, almanac).run()),
  );
}

class Shadow {
  private readonly findings = new Findings();
  private readonly thread: ComparisonThread;
  private readonly began = new Date().toISOString();
  private readonly slots: Semaphore;
  private readonly jobs = new Set<Promise<void>>();
  private readonly basePath: string;
  private bytesWaiting = 0;
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
    this.thread = options.thread ?? new ComparisonThread();
    this.slots = new Semaphore(options.concurrency);
    this.basePath = new URL(old.client.base).pathname;
  }

  async run(): Promise<Report> {
    const { host, port, signal, every, keepHost, listening } = this.options;
    const target = new URL(this.old.client.base);
    // Fails early if the report cannot be written.
    await this.write(false);
    const server = makeProxy(target, { keepHost, listen: (request) => this.listen(request) });
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) =>
        reject(new StartError(`Nothing can listen at ${host}:${port}: ${systemErrorMessage(error)}.`)),
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
    await Promise.all(this.jobs);
    await this.thread.close();
    return this.write(true);
  }

  private async write(isComplete: boolean): Promise<Report> {
    const { with: other, report: file } = this.options;
    const subject = { against: this.old.client.base, ...(other !== undefined && { with: other }) };
    const report = reportOf('almanac shadow', subject, this.began, isComplete, this.findings, {
      ...this.counts,
    });
    // Sequential, since each write replaces the same files.
    const writing = this.written.catch(() => {}).then(() => writeReport(file, report));
    this.written = writing;
    await writing;
    return report;
  }

  /** Creates listeners for comparable requests and counts the rest. */
  private listen({ method, url = '', headers }: IncomingMessage): Listener | undefined {
    const { counts } = this;
    counts['passed on'] += 1;
    const path = url.startsWith(this.basePath) ? url.slice(this.basePath.length) : undefined;
    const asksForPart = ['range', 'if-none-match', 'if-modified-since'].some((name) => name in headers);
    // A login cookie without a nonce authenticates nobody, nor do other programs' cookies.
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
            : this.slots.queued >= this.options.queue || this.bytesWaiting > MAX_WAITING
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
        this.enqueue(path, answer, body, credentials);
      },
      fail: giveUp,
    };
  }

  private enqueue(
    path: string,
    { statusCode: status = 0, headers: sent }: IncomingMessage,
    body: Buffer,
    credentials: Record<string, string>,
  ): void {
    const headers = Object.entries(sent).flatMap(([name, value]) =>
      [value].flat().flatMap((one): [string, string][] => (one === undefined ? [] : [[name, one]])),
    );
    const encoding = sent['content-encoding'];
    const old = { status, headers, body, ...(encoding !== undefined && { encoding }) };
    const job = this.slots
      .run(() => this.work({ path, old, credentials }))
      .finally(() => this.jobs.delete(job));
    this.jobs.add(job);
  }

  private async work(job: Job): Promise<void> {
    // A failing comparison must not affect clients.
    if (!this.options.signal.aborted) await this.check(job).catch(() => this.unreadable());
    this.bytesWaiting -= job.old.body.length;
  }

  private async check({ path, old, credentials }: Job): Promise<void> {
    const ask = { path };
    if (old.status >= 500 || old.status === 429) return this.findings.unanswered(ask, `${old.status}`);
    const isSignedIn = Object.keys(credentials).length > 0;
    const places = [this.old.place, this.almanac.place];
    const compared = async () => {
      const now = await this.almanac.client.askRaw(path, credentials);
      return this.thread.run({ path, isSignedIn, places, old, now });
    };
    let result = await compared();
    // Almanac may see a change by PHP a second late, so unexpected differences are checked again.
    if (result.findings.some((one) => one.known === undefined && !this.findings.isSettled(one))) {
      await sleep(LATE, undefined, { signal: this.options.signal }).catch(() => {});
      result = await compared();
    }
    if (this.options.signal.aborted) return;
    if (result.failure === undefined) this.findings.count(ask, result.level, result.findings);
    else this.unreadable();
  }

  private unreadable(): void {
    this.counts['not compared: answers too large, broken off or unreadable'] += 1;
  }
}

/** Closes a server after its responses, within five seconds. */
async function closed(server: Server): Promise<void> {
  const end = setTimeout(() => server.closeAllConnections(), 5000);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(end);
}
