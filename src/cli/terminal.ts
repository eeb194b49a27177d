import { createInterface } from 'node:readline/promises';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StartError } from '../database/start-error.js';
import { hasColors } from '../lib/has-colors.js';
import { oneLine, onScreen } from '../lib/safe-text.js';

/** Milliseconds before a command reports progress. */
const PROGRESS_DELAY_MS = 1000;
/** Milliseconds between two states of a progress bar. */
const BAR_INTERVAL_MS = 100;
const BAR_LENGTH = 20;

/** SGR codes of ECMA-48. */
const COLORS = { red: 31, green: 32, yellow: 33 } as const;
export type Color = keyof typeof COLORS;

/** Exit codes, which scripts may rely on. */
export const EXIT = {
  done: 0,
  /** Failure; standard error has the reason. */
  failed: 1,
  usage: 2,
  /** Success with findings that need attention. */
  found: 3,
} as const;

/** Output of a command: results on standard output, the rest on standard error; control characters are escaped. */
export class Terminal {
  /** Whether results are one JSON document instead of lines. */
  isJson = false;
  private lastProgress = Date.now();
  /** Whether a progress bar stands on the current line. */
  private hasBar = false;

  constructor(
    private readonly input: NodeJS.ReadStream = process.stdin,
    private readonly output: NodeJS.WriteStream = process.stdout,
    private readonly errors: NodeJS.WriteStream = process.stderr,
  ) {
    // A reader that closes the pipe, such as `head`, ends nothing that has begun.
    for (const stream of [output, errors])
      stream.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') throw error;
      });
  }

  /** Prints a line of the result, unless JSON is requested; in its color where colors are shown. */
  say(line: string, color?: Color): void {
    if (this.isJson) return;
    this.clearBar();
    const text = oneLine(line);
    const isColored = color !== undefined && hasColors(this.output.isTTY);
    this.output.write(isColored ? `\u001b[${COLORS[color]}m${text}\u001b[39m\n` : `${text}\n`);
  }

  /** Prints the whole result as JSON if requested; called once, at the end. */
  json(value: unknown): void {
    this.clearBar();
    if (this.isJson) this.output.write(`${onScreen(JSON.stringify(snakeCase(value), null, 2))}\n`);
  }

  /** Streams a result until the reader closes; only terminals get it without control characters. */
  async write(pieces: AsyncIterable<string>): Promise<void> {
    const output = Readable.from(pieces).map((piece: string) => {
      this.clearBar();
      return this.output.isTTY ? onScreen(piece) : piece;
    });
    try {
      await pipeline(output, this.output, { end: false });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    } finally {
      this.clearBar();
    }
  }

  /** Prints a message beside the result. */
  note(line: string): void {
    this.clearBar();
    this.errors.write(`${oneLine(line)}\n`);
  }

  /**
   * Reports progress; may be called often. A terminal shows one line that changes, with a bar for a known `share` from 0 to 1;
   * elsewhere a line is printed at most once a second, and not in the first.
   */
  progress(line: string, share?: number): void {
    const now = Date.now();
    if (now - this.lastProgress < (this.hasBar ? BAR_INTERVAL_MS : PROGRESS_DELAY_MS)) return;
    this.lastProgress = now;
    if (this.errors.isTTY) this.drawBar(`${barOf(share)}${oneLine(line)}`);
    else this.note(line);
  }

  private drawBar(text: string): void {
    this.errors.write(`${CLEAR_LINE}${text.slice(0, (this.errors.columns || 80) - 1)}`);
    this.hasBar = true;
  }

  private clearBar(): void {
    if (this.hasBar) this.errors.write(CLEAR_LINE);
    this.hasBar = false;
  }

  /** Awaits work without progress and names it if it takes longer than a second. */
  async during<T>(line: string, work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.note(line), PROGRESS_DELAY_MS);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Asks for confirmation; throws `StartError` if not interactive. */
  async confirm(question: string): Promise<boolean> {
    if (!this.input.isTTY)
      throw new StartError('This needs a confirmation, and there is no terminal to ask: add --yes.');
    this.clearBar();
    const answer = await this.ask(`${question} [y/N] `, this.errors);
    return /^y(es)?$/i.test(answer.trim());
  }

  /** Reads a secret without echo, or the first line of standard input. */
  async secret(question: string): Promise<string> {
    if (!this.input.isTTY) return this.firstLine();
    this.errors.write(question);
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    const answer = await this.ask('', silent);
    this.errors.write('\n');
    return answer;
  }

  /** The line may end without a line break. */
  private async firstLine(): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.input) {
      chunks.push(Buffer.from(chunk));
      if (chunks.at(-1)?.includes('\n')) break;
    }
    return Buffer.concat(chunks).toString('utf8').split(/\r?\n/, 1)[0] ?? '';
  }

  private async ask(question: string, output: NodeJS.WritableStream): Promise<string> {
    const reader = createInterface({ input: this.input, output, terminal: this.input.isTTY });
    try {
      const ended = new Promise<string>((resolve) => reader.once('close', () => resolve('')));
      return await Promise.race([reader.question(question), ended]);
    } finally {
      reader.close();
    }
  }
}

const CLEAR_LINE = '\r\u001b[K';

/** `██████░░░░░░░░░░░░░░  30 % `; empty if the share is not known. */
function barOf(share: number | undefined): string {
  if (share === undefined || Number.isNaN(share)) return '';
  const done = Math.min(Math.max(share, 0), 1);
  const full = Math.floor(done * BAR_LENGTH);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_LENGTH - full)} ${String(Math.floor(done * 100)).padStart(3)} % `;
}

/** Converts member names to snake case for JSON output: `left_out` for `leftOut`. */
export function snakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCase(member),
    ]),
  );
}
