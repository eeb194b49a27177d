import type { ServerResponse } from 'node:http';

/** Bytes of answers on their way, and milliseconds in which a reader takes nothing. */
const LIMITS = { bytes: 128 * 1024 ** 2, time: 60_000 };

/** An answer that somebody has not read yet. */
interface Unread {
  bytes: number;
  readers: number;
}

/**
 * Bounds what slow readers keep in memory: past so many bytes who has been slow for longest is cut off, and at any time who takes nothing
 * for a minute.
 */
export class SlowClientLimiter {
  /** Responses that are not sent yet, oldest first, and what they send. */
  private readonly responses = new Map<ServerResponse, unknown>();
  /** By what is sent: many may read the same bytes. */
  private readonly answers = new Map<unknown, Unread>();
  private bytes = 0;

  constructor(private readonly limits = LIMITS) {}

  /** Counts an answer that was just begun to be sent, until all of it is gone. */
  add(answer: unknown, bytes: number, response: ServerResponse): void {
    if (response.writableFinished || response.destroyed) return;
    const unread = this.answers.get(answer) ?? { bytes, readers: 0 };
    if (unread.readers === 0) this.bytes += bytes;
    unread.readers += 1;
    this.answers.set(answer, unread);
    this.responses.set(response, answer);
    response.once('close', () => this.forget(response));
    response.setTimeout(this.limits.time, () => response.destroy());
    for (const slowest of this.responses.keys()) {
      if (this.bytes <= this.limits.bytes) return;
      this.forget(slowest);
      slowest.destroy();
    }
  }

  private forget(response: ServerResponse): void {
    const answer = this.responses.get(response);
    const unread = this.answers.get(answer);
    if (!this.responses.delete(response) || !unread) return;
    unread.readers -= 1;
    if (unread.readers > 0) return;
    this.answers.delete(answer);
    this.bytes -= unread.bytes;
  }
}
