import { Agent } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { type RawAnswer, rawRequest } from '../raw-request.js';
import { SeededRandom } from '../unusual-values.js';
import { fault } from '../valid-responses.js';
import { BASE, type HostileFixture, TIMEOUT_MS } from './hostile-fixture.js';
import { type HostileRequest, hostileRequest } from './random.js';

const REQUESTS = 20_000;
const SEED = 20910301;
const AT_ONCE = 16;
/** The time, in milliseconds, after which no further request is sent. */
const MAX_LENGTH = 8 * 60_000;
/** The minimum of requests within that time. */
const FEWEST = 5_000;
/** How often rejected requests are sent again, without those that were accepted. */
const ROUNDS = 6;

/** Statuses of Node's parser, before the application reads the request. */
const OF_NODE = [417, 431];

/** Sends requests with limited concurrency, and returns the errors of their responses. */
class Run {
  readonly statuses = new Map<number | string, number>();
  readonly faults = new Map<string, string[]>();
  readonly rejected: HostileRequest[] = [];
  taken = 0;
  sent = 0;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

  constructor(private readonly fixture: HostileFixture) {}

  async send(requests: Iterable<HostileRequest>): Promise<void> {
    const waiting = requests[Symbol.iterator]();
    const one = async () => {
      for (let next = waiting.next(); !next.done; next = waiting.next()) await this.answer(next.value);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
    this.agent.destroy();
  }

  private async answer(request: HostileRequest): Promise<void> {
    if (!this.fixture.server.runs()) return;
    this.sent++;
    const answer = await this.ask(request);
    const status = 'status' in answer ? answer.status : answer.message;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    const wrong = 'status' in answer ? faultOf(request, answer) : answer.message;
    if (wrong) {
      const alike = this.faults.get(wrong) ?? [];
      this.faults.set(wrong, [...alike, describeRequest(request)]);
    }
    if ('status' in answer && answer.status >= 400) this.rejected.push(request);
    else this.taken++;
  }

  private async ask(request: HostileRequest): Promise<RawAnswer | Error> {
    const limited = { ...request, timeoutMs: TIMEOUT_MS };
    // An unparsable request has no method: its rejection has a body, also for HEAD.
    const rejectedHead = (error: Error) =>
      request.method === 'HEAD' && error.message.startsWith('Parse Error: Data after')
        ? { status: 400, headers: {}, text: '', took: 0 }
        : error;
    const { url } = this.fixture.server;
    return rawRequest(url, limited, this.agent).catch((error: NodeJS.ErrnoException) => {
      // An idle connection that was closed proves nothing about the request; a new one does.
      const closed = ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
      return closed ? rawRequest(url, limited).catch(rejectedHead) : rejectedHead(error);
    });
  }

  /** Throws the errors, a few of each kind. */
  limited(): void {
    const report = [...this.faults].flatMap(([wrong, those]) => [
      `${wrong}: ${those.length} of ${this.sent}`,
      ...those.slice(0, 5).map((one) => `  ${one}`),
    ]);
    if (report.length > 0) throw new Error(report.join('\n'));
  }
}

function faultOf(request: HostileRequest, answer: RawAnswer): string | undefined {
  const { status } = answer;
  if (status === 503 || OF_NODE.includes(status)) return undefined;
  if (status >= 500) return `status ${status}`;
  // The documents and parser errors are outside the interface.
  return request.path.startsWith(BASE) && status !== 400 ? fault(request, answer) : undefined;
}

function* requests(until: number): Generator<HostileRequest> {
  const dice = new SeededRandom(SEED);
  for (let number = 0; number < REQUESTS && Date.now() < until; number++) yield hostileRequest(dice);
}

/**
 * Sends the random requests: first those without the capability to write, which must change no row; then the others; then
 * repeats those that were rejected until none is accepted, which must change no row either. Prints the number of each status;
 * throws on an invalid response.
 */
export async function runRandom(fixture: HostileFixture): Promise<void> {
  const until = Date.now() + MAX_LENGTH;
  const writing: HostileRequest[] = [];
  function* reading(): Generator<HostileRequest> {
    for (const request of requests(until)) {
      if (request.mayWrite) writing.push(request);
      else yield request;
    }
  }
  const before = await fixture.rows();
  const reads = new Run(fixture);
  await reads.send(reading());
  expect(await fixture.rows()).toEqual(before);
  await fixture.look(`${reads.sent} random requests that may not write`);
  const writes = new Run(fixture);
  await writes.send(writing);
  await fixture.look(`${writes.sent} random requests that may write`);
  const again = await rejectedAgain(fixture, writes.rejected);
  await fixture.look(`${again} refused ones again`);
  reads.limited();
  writes.limited();
  expect(reads.sent + writes.sent).toBeGreaterThan(FEWEST);
  expect(fixture.server.runs()).toBe(true);
}

/** The requests that are rejected but change rows, sent one at a time; none is expected. */
async function culprits(fixture: HostileFixture, requests: readonly HostileRequest[]): Promise<string[]> {
  const found: string[] = [];
  let before = await fixture.rows();
  for (const request of requests) {
    const run = new Run(fixture);
    await run.send([request]);
    const after = await fixture.rows();
    if (!isDeepStrictEqual(after, before))
      found.push(`${[...run.statuses.keys()].join()} ${describeRequest(request)}`);
    before = after;
  }
  return found.length > 0 ? found : ['some request, but only among others'];
}

/** A request as a line of a report, without its password. */
function describeRequest({ method, path, headers, body }: HostileRequest): string {
  const { Authorization: _, ...rest } = headers ?? {};
  const sent = [JSON.stringify(rest), String(body ?? '')].map((text) => text.slice(0, 400));
  return `${method} ${path.slice(0, 300)} ${sent.join(' ')}`;
}

/** Repeats rejected requests until all of them are rejected; the last round must write nothing. Returns their number. */
async function rejectedAgain(fixture: HostileFixture, rejected: readonly HostileRequest[]): Promise<number> {
  let left = rejected;
  for (let round = 0; round < ROUNDS; round++) {
    const before = await fixture.rows();
    const run = new Run(fixture);
    await run.send(left);
    run.limited();
    if (run.taken === 0) {
      if (!isDeepStrictEqual(await fixture.rows(), before)) expect(await culprits(fixture, left)).toEqual([]);
      return left.length;
    }
    left = run.rejected;
  }
  throw new Error('what is refused is taken a moment later, again and again');
}
