import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { request as requestByTls } from 'node:https';
import { StringDecoder } from 'node:string_decoder';

/** A server-sent event; a comment has none of its members. */
export interface SentEvent {
  id?: string;
  event?: string;
  data?: string;
  retry?: string;
}

/** An open stream of server-sent events. */
export class EventStreamClient {
  readonly events: SentEvent[] = [];
  comments = 0;
  /** Whether the server has ended the stream. */
  isEnded = false;
  private text = '';
  private readonly listeners = new Set<() => void>();

  private constructor(
    private readonly sent: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    const decoder = new StringDecoder('utf8');
    response.on('data', (chunk: Buffer) => this.read(decoder.write(chunk)));
    response.on('error', () => undefined);
    response.once('close', () => {
      this.isEnded = true;
      this.notify();
    });
  }

  /** Opens a stream; resolves once the server has responded, whatever its status. */
  static open(url: string, headers: Record<string, string> = {}): Promise<EventStreamClient> {
    return new Promise((resolve, reject) => {
      const options = { agent: false, headers: { Accept: 'text/event-stream', ...headers } };
      // Proxies of tests have certificates of their own.
      const byTls = { ...options, rejectUnauthorized: false, servername: 'example.org' };
      const sent = url.startsWith('https:') ? requestByTls(url, byTls) : request(url, options);
      sent.once('response', (response) => resolve(new EventStreamClient(sent, response)));
      sent.on('error', reject);
      sent.end();
    });
  }

  get status(): number {
    return this.response.statusCode ?? 0;
  }

  /** The text of a response that is no stream. */
  async body(): Promise<Record<string, unknown>> {
    await this.until(() => this.isEnded);
    return JSON.parse(this.text);
  }

  /** Waits until a condition holds; fails after the time, in milliseconds. */
  async until(isMet: () => boolean, time = 30_000): Promise<void> {
    const end = Date.now() + time;
    while (!isMet()) {
      if (Date.now() > end)
        throw new Error(`nothing of it came: ${JSON.stringify(this.events).slice(0, 2000)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 100);
        this.listeners.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
      this.listeners.clear();
    }
  }

  /** The data of all events of a name. */
  data<T = { type: string; id: number; change: string; record?: Record<string, unknown> }>(
    ...names: string[]
  ): T[] {
    return this.events.flatMap(({ event, data }) =>
      event !== undefined && names.includes(event) && data !== undefined ? [JSON.parse(data) as T] : [],
    );
  }

  /** The last id, as `EventSource` would send it. */
  get lastId(): string | undefined {
    return this.events.findLast(({ id }) => id !== undefined)?.id;
  }

  pause(): void {
    this.response.pause();
  }

  close(): void {
    this.sent.destroy();
  }

  private read(chunk: string): void {
    const isStream = String(this.response.headers['content-type']).startsWith('text/event-stream');
    this.text += chunk;
    if (!isStream) return;
    const blocks = this.text.split('\n\n');
    this.text = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n').map((line) => /^([^:]*): ?(.*)$/.exec(line) ?? []);
      if (lines.every(([, name]) => name === '')) this.comments += 1;
      else this.events.push(Object.fromEntries(lines.map(([, name, value]) => [name, value])));
    }
    this.notify();
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}
