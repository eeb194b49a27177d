import { pino } from 'pino';

/** Bytes that a pipe takes in one piece: lines of several processes do not mix, as long as none has more. */
export const LONGEST_LINE = 4096;
/** Bytes that a process by itself writes together. */
const MOST_TOGETHER = 65_536;
/** How long a line may wait for others, in milliseconds. */
const LONGEST_WAIT = 100;
/** Bytes that may wait for a reader who is too slow; what comes then is dropped. */
const MOST_WAITING = 16 * 1024 * 1024;

/** Where lines go: many together and in the background, the last ones when the process ends. */
export class LogOutput {
  private readonly stream: ReturnType<typeof pino.destination>;
  private readonly most: number;
  private lines = '';
  private bytes = 0;
  private timer?: NodeJS.Timeout;
  private hasEnded = false;
  private dropped = 0;

  /** `isShared`: whether other processes write there too. `sayDropped` hears of lines that nobody read in time. */
  constructor(fd: number, isShared: boolean, sayDropped: (lines: number) => void) {
    this.most = isShared ? LONGEST_LINE : MOST_TOGETHER;
    this.stream = pino.destination({ fd, sync: false, maxWrite: this.most, maxLength: MOST_WAITING });
    this.stream.on('drop', (lines: string) => {
      this.dropped += lines.split('\n').length - 1;
    });
    this.stream.on('drain', () => {
      const lines = this.dropped;
      this.dropped = 0;
      if (lines > 0) sayDropped(lines);
    });
    process.once('exit', () => this.writeNow());
  }

  /** A line, with its end. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.bytes + bytes > this.most) this.flush();
    this.lines += line;
    this.bytes += bytes;
    if (this.hasEnded) this.writeNow();
    else this.timer ??= setTimeout(() => this.flush(), LONGEST_WAIT).unref();
  }

  /** Writes all that waits; from then on nothing waits, for nobody knows when the process is ended. */
  async end(): Promise<void> {
    this.hasEnded = true;
    this.flush();
    await new Promise<void>((resolve) => this.stream.flush(() => resolve()));
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.lines !== '') this.stream.write(this.lines);
    this.lines = '';
    this.bytes = 0;
  }

  private writeNow(): void {
    this.flush();
    this.stream.flushSync();
  }
}
