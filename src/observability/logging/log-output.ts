import { write, writeSync } from 'node:fs';

/** Bytes that a pipe writes atomically (PIPE_BUF): longer lines of several processes could mix. */
export const MAX_LINE_LENGTH = 4096;
/** Bytes per write of a single process. */
const MAX_BATCH = 65_536;
/** The maximum of buffered bytes; further lines are dropped. */
const MAX_WAITING = 16 * 1024 * 1024;
/** How long lines are batched, the pause before retrying a full pipe, and the time limit of `end`, in milliseconds. */
const BATCH_MS = 100;
const RETRY_MS = 20;
const END_TIMEOUT_MS = 1000;

interface Batch {
  text: string;
  bytes: number;
}

/**
 * Writes lines in batches in the background, as a write may take longer than a response; the last ones on exit. With a
 * full disk or a blocked reader lines are lost, and the server continues.
 */
export class LogOutput {
  private readonly maxBatch: number;
  private readonly batches: Batch[] = [];
  private waiting = 0;
  private dropped = 0;
  private isWriting = false;
  private hasEnded = false;
  private timer?: NodeJS.Timeout;
  private idle?: () => void;
  private readonly writeRest = () => this.writeNow();

  /** `isShared`: whether other processes write to the same file. `onDropped` gets the number of lost lines. */
  constructor(
    private readonly fd: number,
    isShared: boolean,
    private readonly onDropped: (lines: number) => void,
  ) {
    this.maxBatch = isShared ? MAX_LINE_LENGTH : MAX_BATCH;
    process.once('exit', this.writeRest);
  }

  /** Adds a line, with its line break. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.waiting + bytes > MAX_WAITING) {
      this.dropped += 1;
      return;
    }
    this.waiting += bytes;
    const last = this.batches.at(-1);
    if (last && last.bytes + bytes <= this.maxBatch) {
      last.text += line;
      last.bytes += bytes;
    } else this.batches.push({ text: line, bytes });
    if (this.isWriting) return;
    if (this.hasEnded) this.writeNow();
    else if (this.batches.length > 1) this.writeNext();
    else this.timer ??= setTimeout(() => this.writeNext(), BATCH_MS).unref();
  }

  /** Writes all buffered lines; later ones are written at once, as the process may exit at any time. */
  async end(): Promise<void> {
    this.hasEnded = true;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.idle = resolve;
      timer = setTimeout(resolve, END_TIMEOUT_MS);
      if (!this.isWriting) this.writeNext();
    });
    clearTimeout(timer);
    process.off('exit', this.writeRest);
  }

  private writeNext(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const batch = this.take();
    this.isWriting = batch !== undefined;
    if (batch) this.put(Buffer.from(batch.text));
    else this.idle?.();
  }

  private put(bytes: Buffer): void {
    write(this.fd, bytes, (error, written) => {
      if (isFull(error)) setTimeout(() => this.put(bytes), RETRY_MS).unref();
      else if (!error && written < bytes.length) this.put(bytes.subarray(written));
      else {
        this.settle(error === null);
        this.writeNext();
      }
    });
  }

  private take(): Batch | undefined {
    const batch = this.batches.shift();
    this.waiting -= batch?.bytes ?? 0;
    return batch;
  }

  /** Reports dropped lines once there is room again. */
  private settle(isWritten: boolean): void {
    const lines = this.dropped;
    if (!isWritten || lines === 0 || this.waiting > MAX_WAITING / 2) return;
    this.dropped = 0;
    this.onDropped(lines);
  }

  /** Writes all buffered lines synchronously. */
  private writeNow(): void {
    for (let batch = this.take(); batch; batch = this.take()) {
      const giveUp = Date.now() + END_TIMEOUT_MS;
      for (let bytes = Buffer.from(batch.text); bytes.length > 0; ) {
        try {
          bytes = bytes.subarray(writeSync(this.fd, bytes));
        } catch (error) {
          if (!isFull(error) || Date.now() > giveUp) return;
        }
      }
    }
  }
}

function isFull(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'EAGAIN';
}
