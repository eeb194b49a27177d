import { setTimeout as sleep } from 'node:timers/promises';
import { firstLine } from '../../common/errors/first-line.js';
import { withTimeLimit } from '../../common/time-limit.js';
import { StartError } from '../../database/start-error.js';
import type { ParsedResponse } from './parsed-response.js';
import { MAX_BODY_BYTES, parseResponse, type RawResponse } from './raw-response.js';

const TRIES = 5;

/** Maximum pause that a server may request, in milliseconds. */
const MAX_PAUSE_MS = 15 * 60_000;

/** Attempts for server errors such as 500. */
const ERROR_TRIES = 3;

export interface ClientOptions {
  /** Maximum requests per second. */
  rate: number;
  /** Timeout of a response in milliseconds. */
  timeout: number;
  /** `Authorization` header of every request. */
  authorization?: string;
  signal?: AbortSignal;
}

/** A rate-limited client for one server, which respects `Retry-After` and reads at most `MAX_ANSWER_BYTES`. */
export class RateLimitedClient {
  private nextTurn = 0;
  private failuresInARow = 0;

  /** `base`: URL of the interface, such as `https://example.org/wp-json/tribe/events/v1`. */
  constructor(
    readonly base: string,
    private readonly options: ClientOptions,
  ) {}

  /** Requests with retries; throws `StartError` if the server is unreachable, long busy, or the run is aborted. */
  async ask(path: string): Promise<ParsedResponse> {
    for (let tries = 1; ; tries++) {
      await this.waitForSlot();
      const answer = await this.send(path);
      this.throwIfInterrupted();
      const isBusy = answer.status === 429 || answer.status === 503;
      if (!isBusy && answer.failure === undefined) this.failuresInARow = 0;
      const isSilent = answer.failure !== undefined && answer.status === 0;
      const isError = answer.status >= 500 && tries < ERROR_TRIES;
      if ((!isBusy && !isSilent && !isError) || tries === TRIES) return this.counted(answer, isBusy);
      this.wait(pauseOf(answer, tries));
    }
  }

  async askOnce(path: string): Promise<ParsedResponse> {
    await this.waitForSlot();
    return this.send(path);
  }

  /** Requests once without decoding; `headers` are sent in addition. */
  async askRaw(path: string, headers: Readonly<Record<string, string>> = {}): Promise<RawResponse> {
    await this.waitForSlot();
    return this.receive(path, headers);
  }

  /** Pauses all requests for the given milliseconds. */
  private wait(pause: number): void {
    if (pause > MAX_PAUSE_MS)
      throw new StartError(
        `${this.base} wants to be asked again in ${Math.ceil(pause / 60_000)} minutes only: go on then, with --resume.`,
      );
    this.nextTurn = Math.max(this.nextTurn, Date.now() + pause);
  }

  private counted(answer: ParsedResponse, isBusy: boolean): ParsedResponse {
    if (!isBusy && !(answer.failure && answer.status === 0)) return answer;
    if (++this.failuresInARow >= TRIES)
      throw new StartError(`${this.base} does not answer any more: ${answer.failure ?? answer.status}`);
    return {
      ...answer,
      failure: answer.failure ?? `It is busy (${answer.status}), also after ${TRIES} tries.`,
    };
  }

  private throwIfInterrupted(): void {
    if (this.options.signal?.aborted) throw new StartError('Interrupted.');
  }

  private async waitForSlot(): Promise<void> {
    for (;;) {
      const pause = this.nextTurn - Date.now();
      if (pause <= 0) break;
      await sleep(pause, undefined, { signal: this.options.signal }).catch(() => this.throwIfInterrupted());
    }
    this.nextTurn = Date.now() + 1000 / this.options.rate;
  }

  private async send(path: string): Promise<ParsedResponse> {
    return parseResponse(await this.receive(path, {}));
  }

  private async receive(path: string, further: Readonly<Record<string, string>>): Promise<RawResponse> {
    const { timeout, authorization, signal } = this.options;
    const request = {
      headers: {
        Accept: 'application/json',
        'User-Agent': 'almanac-verify',
        ...(authorization && { authorization }),
        ...further,
      },
      redirect: 'manual',
    } as const;
    try {
      return await withTimeLimit(timeout, signal ? [signal] : [], async (limited) => {
        const response = await fetch(addressOf(this.base, path), { ...request, signal: limited });
        const { status } = response;
        const headers = [...response.headers];
        const body = await readBody(response);
        if (body) return { status, headers, body };
        const failure = `It has more than ${MAX_BODY_BYTES / 2 ** 20} MB.`;
        return { status, headers, body: Buffer.alloc(0), failure };
      });
    } catch (error) {
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
      const isLate = error instanceof Error && error.name === 'TimeoutError';
      const failure = isLate ? `No answer within ${timeout / 1000} seconds.` : firstLine(cause);
      return { status: 0, headers: [], body: Buffer.alloc(0), failure };
    }
  }
}

/** URL of a path below the interface, which may itself be a query: `/?rest_route=/tribe/events/v1`. */
function addressOf(base: string, path: string): string {
  return base + (base.includes('?') ? path.replace('?', '&') : path);
}

/** Decompresses the body; undefined if it exceeds the limit. */
async function readBody(response: Response): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop closes the connection.
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Pause in milliseconds for a busy server: `Retry-After`, or else increasing. */
function pauseOf({ headers }: ParsedResponse, tries: number): number {
  const retryAfter = headers.get('retry-after')?.trim();
  const seconds =
    retryAfter && /^\d+$/.test(retryAfter)
      ? Number(retryAfter)
      : (Date.parse(retryAfter ?? '') - Date.now()) / 1000;
  return Number.isNaN(seconds) ? 500 * 2 ** tries : Math.max(seconds * 1000, 100);
}
