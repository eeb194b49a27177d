import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../database/start-error.js';
import { firstLine } from '../../common/errors/first-line.js';
import type { Answer } from './answer.js';
import { MAX_ANSWER_BYTES, type RawAnswer, readAnswer } from './raw-answer.js';

/** How often something is asked before its failure counts. */
const TRIES = 5;

/** The longest that a server may make us wait, in milliseconds. */
const MAX_PAUSE_MS = 15 * 60_000;

/** How often an error of the server, such as 500, is asked for again before it counts. */
const ERROR_TRIES = 3;

/** How a server is asked. */
export interface Manners {
  /** Requests per second at most. */
  rate: number;
  /** How long one answer may take, in milliseconds. */
  timeout: number;
  /** `Authorization` of every request. */
  authorization?: string;
  /** Ends all waiting. */
  signal?: AbortSignal;
}

/** Asks one server at the rate that was said, waits when it asks for that, and reads no more than `MAX_ANSWER_BYTES`. */
export class PoliteClient {
  private nextTurn = 0;
  private failuresInARow = 0;

  /** `base`: the address of the interface, such as `https://example.org/wp-json/tribe/events/v1`. */
  constructor(
    readonly base: string,
    private readonly manners: Manners,
  ) {}

  /** The answer, or the failure after some tries. A `StartError` says that the server is gone, or busy for long, or that this is interrupted. */
  async ask(path: string): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      await this.turn();
      const answer = await this.send(path);
      this.goOn();
      const isBusy = answer.status === 429 || answer.status === 503;
      if (!isBusy && answer.failure === undefined) this.failuresInARow = 0;
      const isSilent = answer.failure !== undefined && answer.status === 0;
      const isError = answer.status >= 500 && tries < ERROR_TRIES;
      if ((!isBusy && !isSilent && !isError) || tries === TRIES) return this.counted(answer, isBusy);
      this.wait(pauseOf(answer, tries));
    }
  }

  /** The answer, or the failure of one try. */
  async askOnce(path: string): Promise<Answer> {
    await this.turn();
    return this.send(path);
  }

  /** The same as it is received; `headers` are sent beside those of every request. */
  async askRaw(path: string, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> {
    await this.turn();
    return this.receive(path, headers);
  }

  /** Nothing is asked for so many milliseconds. */
  private wait(pause: number): void {
    if (pause > MAX_PAUSE_MS)
      throw new StartError(
        `${this.base} wants to be asked again in ${Math.ceil(pause / 60_000)} minutes only: go on then, with --resume.`,
      );
    this.nextTurn = Math.max(this.nextTurn, Date.now() + pause);
  }

  private counted(answer: Answer, isBusy: boolean): Answer {
    if (!isBusy && !(answer.failure && answer.status === 0)) return answer;
    if (++this.failuresInARow >= TRIES)
      throw new StartError(`${this.base} does not answer any more: ${answer.failure ?? answer.status}`);
    return {
      ...answer,
      failure: answer.failure ?? `It is busy (${answer.status}), also after ${TRIES} tries.`,
    };
  }

  private goOn(): void {
    if (this.manners.signal?.aborted) throw new StartError('Interrupted.');
  }

  private async turn(): Promise<void> {
    for (;;) {
      const pause = this.nextTurn - Date.now();
      if (pause <= 0) break;
      await sleep(pause, undefined, { signal: this.manners.signal }).catch(() => this.goOn());
    }
    this.nextTurn = Date.now() + 1000 / this.manners.rate;
  }

  private async send(path: string): Promise<Answer> {
    return readAnswer(await this.receive(path, {}));
  }

  private async receive(path: string, further: Readonly<Record<string, string>>): Promise<RawAnswer> {
    const { timeout, authorization, signal } = this.manners;
    const signals = [AbortSignal.timeout(timeout), ...(signal ? [signal] : [])];
    try {
      const response = await fetch(addressOf(this.base, path), {
        headers: {
          Accept: 'application/json',
          'User-Agent': 'almanac-verify',
          ...(authorization && { authorization }),
          ...further,
        },
        redirect: 'manual',
        signal: AbortSignal.any(signals),
      });
      const { status } = response;
      const headers = [...response.headers];
      const body = await readBody(response);
      if (body) return { status, headers, body };
      const failure = `It has more than ${MAX_ANSWER_BYTES / 2 ** 20} MB.`;
      return { status, headers, body: Buffer.alloc(0), failure };
    } catch (error) {
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
      const isLate = error instanceof Error && error.name === 'TimeoutError';
      const failure = isLate ? `No answer within ${timeout / 1000} seconds.` : firstLine(cause);
      return { status: 0, headers: [], body: Buffer.alloc(0), failure };
    }
  }
}

/** The address of something below the interface, which may itself stand in a query: `/?rest_route=/tribe/events/v1`. */
function addressOf(base: string, path: string): string {
  return base + (base.includes('?') ? path.replace('?', '&') : path);
}

/** The body, without its compression; undefined where it is larger than what is read. */
async function readBody(response: Response): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop ends the connection.
    if (size > MAX_ANSWER_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** How long a busy server wants to be left alone, in milliseconds: `Retry-After`, else longer each time. */
function pauseOf({ headers }: Answer, tries: number): number {
  const asked = headers.get('retry-after')?.trim();
  const seconds =
    asked && /^\d+$/.test(asked) ? Number(asked) : (Date.parse(asked ?? '') - Date.now()) / 1000;
  return Number.isNaN(seconds) ? 500 * 2 ** tries : Math.max(seconds * 1000, 100);
}
