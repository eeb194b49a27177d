import { createInterface } from 'node:readline/promises';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StartError } from '../database/start-error.js';
import { oneLine, onScreen } from '../lib/safe-text.js';
import { snakeCase } from './snake-case.js';

/** How long a command works before it says how far it is, in milliseconds. */
const PATIENCE = 1000;

/** How a command ends: what scripts may rely on. */
export const EXIT = {
  /** Done. */
  done: 0,
  /** Could not be done; standard error says why. */
  failed: 1,
  /** The words of the command line are not understood. */
  usage: 2,
  /** Done, and something was found that somebody should look at. */
  found: 3,
} as const;

/**
 * What a command says to whoever called it, a person or a program: results to standard output, all else to standard error. Texts of a
 * site or a file may hold what a terminal would obey, or look like further lines: both are escaped.
 */
export class Terminal {
  /** Whether results are one JSON document instead of lines. */
  isJson = false;
  private lastProgress = Date.now();

  constructor(
    private readonly input: NodeJS.ReadStream = process.stdin,
    private readonly output: NodeJS.WriteStream = process.stdout,
    private readonly errors: NodeJS.WriteStream = process.stderr,
  ) {
    // Who reads no further, such as `head`, ends nothing that has begun.
    for (const stream of [output, errors])
      stream.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') throw error;
      });
  }

  /** Says a line of the result as people read it; nothing where JSON is asked for. */
  say(line: string): void {
    if (!this.isJson) this.output.write(`${oneLine(line)}\n`);
  }

  /** Says the whole result where JSON is asked for, and nothing else; called once, at the end. */
  json(value: unknown): void {
    if (this.isJson) this.output.write(`${onScreen(JSON.stringify(snakeCase(value), null, 2))}\n`);
  }

  /** Writes a result of any size as fast as it is taken; whoever takes no more of it ends it. A file gets it as it is, a screen nothing that it would obey. */
  async write(pieces: AsyncIterable<string>): Promise<void> {
    const shown = Readable.from(pieces).map((piece: string) => (this.output.isTTY ? onScreen(piece) : piece));
    try {
      await pipeline(shown, this.output, { end: false });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    }
  }

  /** Says something beside the result. */
  note(line: string): void {
    this.errors.write(`${oneLine(line)}\n`);
  }

  /** Says how far it is, at most once a second and not in the first; to be called as often as one likes. */
  progress(line: string): void {
    if (Date.now() - this.lastProgress < PATIENCE) return;
    this.lastProgress = Date.now();
    this.note(line);
  }

  /** Waits for work that can not tell how far it is; says what it is where it takes longer than a second. */
  async during<T>(line: string, work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.note(line), PATIENCE);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Asks for a yes. `StartError` where nobody is there to give it. */
  async confirm(question: string): Promise<boolean> {
    this.needPerson('Nobody can be asked here: say --yes.');
    const answer = await this.ask(`${question} [y/N] `, this.errors);
    return /^y(es)?$/i.test(answer.trim());
  }

  /** Asks for a secret, which is not shown; without a person it is the first line of standard input. */
  async secret(question: string): Promise<string> {
    if (!this.input.isTTY) return this.firstLine();
    this.errors.write(question);
    const answer = await this.ask('', silent());
    this.errors.write('\n');
    return answer;
  }

  /** Also one that no line break ends. */
  private async firstLine(): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.input) {
      chunks.push(Buffer.from(chunk));
      if (chunks.at(-1)?.includes('\n')) break;
    }
    return Buffer.concat(chunks).toString('utf8').split(/\r?\n/, 1)[0] ?? '';
  }

  private needPerson(otherwise: string): void {
    if (!this.input.isTTY) throw new StartError(otherwise);
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

function silent(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
