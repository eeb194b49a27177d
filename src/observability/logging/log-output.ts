import { write, writeSync } from 'node:fs';

/** Bytes that a pipe takes in one piece: lines of several processes do not mix, as long as none has more. */
export const MAX_LINE_LENGTH = 4096;
/** Bytes that a process by itself writes together. */
const MAX_BATCH = 65_536;
/** Bytes that may wait for a reader who is too slow; what comes then is dropped. */
const MAX_WAITING = 16 * 1024 * 1024;
/** How long a line waits for others, how long a full pipe is left alone, and how long an end may take, in milliseconds. */
const WAIT = 100;
const PAUSE = 20;
const MAX_END_LENGTH = 1000;

/** Lines that are written together. */
interface Batch {
  text: string;
  bytes: number;
}

/**
 * Where lines go: many together and in the background, for a write may take longer than an answer; the last ones when the
 * process ends. Neither a full disk nor a reader who is gone or asleep is a fault of the server: lines are lost then.
 */
export class LogOutput {
  private readonly most: number;
  private readonly batches: Batch[] = [];
  private waiting = 0;
  private dropped = 0;
  private isWriting = false;
  private hasEnded = false;
  private timer?: NodeJS.Timeout;
  private idle?: () => void;
  private readonly writeRest = () => this.writeNow();

  /** `isShared`: whether other processes write there too. `sayDropped` hears how many lines were lost. */
  constructor(
    private readonly fd: number,
    isShared: boolean,
    private readonly sayDropped: (lines: number) => void,
  ) {
    this.most = isShared ? MAX_LINE_LENGTH : MAX_BATCH;
    process.once('exit', this.writeRest);
  }

  /** A line, with its end. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.waiting + bytes > MAX_WAITING) {
      this.dropped += 1;
      return;
    }
    this.waiting += bytes;
    const last = this.batches.at(-1);
    if (last && last.bytes + bytes <= this.most) {
      last.text += line;
      last.bytes += bytes;
    } else this.batches.push({ text: line, bytes });
    if (this.isWriting) return;
    if (this.hasEnded) this.writeNow();
    else if (this.batches.length > 1) this.writeNext();
    else this.timer ??= setTimeout(() => this.writeNext(), WAIT).unref();
  }

  /** Writes all that waits; from then on nothing waits, for nobody knows when the process is ended. */
  async end(): Promise<void> {
    this.hasEnded = true;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.idle = resolve;
      timer = setTimeout(resolve, MAX_END_LENGTH);
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
      if (isFull(error)) setTimeout(() => this.put(bytes), PAUSE).unref();
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

  /** Says what was lost once there is room again. */
  private settle(isWritten: boolean): void {
    const lines = this.dropped;
    if (!isWritten || lines === 0 || this.waiting > MAX_WAITING / 2) return;
    this.dropped = 0;
    this.sayDropped(lines);
  }

  /** At the end of a process there is no later. */
  private writeNow(): void {
    for (let batch = this.take(); batch; batch = this.take()) {
      const giveUp = Date.now() + MAX_END_LENGTH;
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

/** Whether a pipe takes no more at the moment. */
function isFull(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'EAGAIN';
}
