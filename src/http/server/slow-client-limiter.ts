import type { ServerResponse } from 'node:http';

/** Bytes of all unsent responses, and milliseconds in which a client reads nothing. */
const LIMITS = { bytes: 128 * 1024 ** 2, time: 60_000 };

/** A body that some clients have not read completely. */
interface Unread {
  bytes: number;
  readers: number;
}

/**
 * Limits the memory of unsent responses: above the byte limit the client with the oldest unsent response is disconnected, as is
 * at any time one that reads nothing for a minute.
 */
export class SlowClientLimiter {
  /** Bodies by unsent response, oldest first. */
  private readonly responses = new Map<ServerResponse, unknown>();
  /** By body, as many clients may read the same bytes. */
  private readonly bodies = new Map<unknown, Unread>();
  private bytes = 0;

  constructor(private readonly limits = LIMITS) {}

  /** Counts a body from the start of its response until all of it is sent. */
  add(body: unknown, bytes: number, response: ServerResponse): void {
    if (response.writableFinished || response.destroyed) return;
    const unread = this.bodies.get(body) ?? { bytes, readers: 0 };
    if (unread.readers === 0) this.bytes += bytes;
    unread.readers += 1;
    this.bodies.set(body, unread);
    this.responses.set(response, body);
    response.once('close', () => this.remove(response));
    response.setTimeout(this.limits.time, () => response.destroy());
    for (const oldest of this.responses.keys()) {
      if (this.bytes <= this.limits.bytes) return;
      this.remove(oldest);
      oldest.destroy();
    }
  }

  private remove(response: ServerResponse): void {
    const body = this.responses.get(response);
    const unread = this.bodies.get(body);
    if (!this.responses.delete(response) || !unread) return;
    unread.readers -= 1;
    if (unread.readers > 0) return;
    this.bodies.delete(body);
    this.bytes -= unread.bytes;
  }
}
