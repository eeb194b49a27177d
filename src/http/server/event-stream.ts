import type { ServerResponse } from 'node:http';
import { WakeablePause } from '../../common/wakeable-pause.js';

/** Writes server-sent events to one response, at the pace of its client: what is not read is not buffered. */
export class EventStream {
  private isClosed = false;
  private readonly pause = new WakeablePause();

  /** `maxDelay`: how long the client may take to read what was written, in milliseconds. */
  constructor(
    private readonly response: ServerResponse,
    private readonly maxDelay: number,
  ) {
    response.once('close', () => this.close());
  }

  get isOpen(): boolean {
    return !this.isClosed;
  }

  begin(headers: Readonly<Record<string, string>>): void {
    this.response.writeHead(200, {
      ...headers,
      'Content-Type': 'text/event-stream; charset=UTF-8',
      // nginx buffers responses otherwise.
      'X-Accel-Buffering': 'no',
    });
    this.response.flushHeaders();
  }

  /** Sends a block of lines, and waits until the client has read enough of it; disconnects a client that is too slow. */
  async send(lines: Readonly<Record<string, string>>): Promise<void> {
    const text = Object.entries(lines).map(([name, value]) => `${name}: ${value}\n`);
    if (this.isClosed || this.response.write(`${text.join('')}\n`)) return;
    await this.drained();
  }

  private drained(): Promise<void> {
    const { response } = this;
    return new Promise((resolve) => {
      const timer = setTimeout(() => response.destroy(), this.maxDelay);
      const end = () => {
        clearTimeout(timer);
        response.off('drain', end).off('close', end);
        resolve();
      };
      response.on('drain', end).on('close', end);
    });
  }

  /** Waits for `notify`, at most for so many milliseconds. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.isClosed) await this.pause.wait(milliseconds);
  }

  notify(): void {
    this.pause.wake();
  }

  /** Ends the response after what was written. */
  close(): void {
    this.isClosed = true;
    this.notify();
    this.response.end();
  }
}
