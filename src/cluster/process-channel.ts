import { Logger } from '@nestjs/common';
import { errorText } from '../observability/logging/error-text.js';

/** What one process asks of another on this machine. */
export type ProcessRequest =
  /** Of the primary process: tell all others that rows have changed. Of a worker: forget what you know of rows. */
  | { ask: 'forget' }
  /** Of the primary process: count an attempt of this key to sign in, and later take that back. */
  | { ask: 'begin'; key: string }
  | { ask: 'forgive'; attempt: number }
  /** Of a worker: what it has counted. */
  | { ask: 'metrics' };

/** The other end of a channel between two processes, as Node has it. */
interface Channel {
  send?(message: Message, done: (error: Error | null) => void): unknown;
  on(event: 'message', listen: (message: Message) => void): unknown;
}

interface Message {
  /** Numbers a question; its reply bears the same one. */
  almanac: number;
  question?: ProcessRequest;
  reply?: unknown;
}

/** Questions and replies between two processes of one machine, in both directions. */
export class ProcessChannel {
  private asked = 0;
  private readonly logger = new Logger('Workers');
  private readonly waiting = new Map<number, (reply: unknown) => void>();

  constructor(
    private readonly channel: Channel,
    answer: (question: ProcessRequest) => Promise<unknown>,
  ) {
    channel.on('message', ({ almanac, question, reply }) => {
      if (almanac === undefined) return;
      if (question)
        answer(question).then(
          (value) => this.send({ almanac, reply: value }),
          (error) => {
            // A number that a plugin can not tell, say: no reason to end.
            this.logger.error(`"${question.ask}" could not be answered: ${errorText(error)}`);
            this.send({ almanac });
          },
        );
      else this.waiting.get(almanac)?.(reply);
    });
  }

  /** The reply; undefined when none comes in so many milliseconds. */
  async ask<Reply>(question: ProcessRequest, patience: number): Promise<Reply | undefined> {
    const almanac = ++this.asked;
    let timer: NodeJS.Timeout | undefined;
    const reply = new Promise<unknown>((resolve) => {
      timer = setTimeout(resolve, patience);
      this.waiting.set(almanac, resolve);
      if (!this.send({ almanac, question }, () => resolve(undefined))) resolve(undefined);
    });
    return reply.finally(() => {
      clearTimeout(timer);
      this.waiting.delete(almanac);
    }) as Promise<Reply | undefined>;
  }

  private send(message: Message, failed: () => void = () => undefined): boolean {
    if (!this.channel.send) return false;
    // Who has ended asks and answers nothing.
    this.channel.send(message, (error) => error && failed());
    return true;
  }
}
