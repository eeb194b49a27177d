import { Logger } from '@nestjs/common';
import { errorText } from '../observability/logging/error-text.js';

/** A request from one process to another on this machine. */
export type ProcessRequest =
  /** To the primary: notify all other workers of a commit. To a worker: invalidate the table versions. */
  | { ask: 'forget' }
  /** To the primary: count a login attempt of a key; later forgive it. */
  | { ask: 'begin'; key: string }
  | { ask: 'forgive'; attempt: number }
  /** To a worker: return its metrics. */
  | { ask: 'metrics' };

/** Node's IPC channel, of `process` or a `Worker`. */
interface Channel {
  send?(message: Message, done: (error: Error | null) => void): unknown;
  on(event: 'message', listen: (message: Message) => void): unknown;
}

interface Message {
  /** The number of the request; its reply has the same. */
  almanac: number;
  question?: ProcessRequest;
  reply?: unknown;
}

/** Sends requests and replies between two processes of one machine, in both directions. */
export class ProcessChannel {
  private sent = 0;
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
            // Such as a failing metric of a plugin, no reason to exit.
            this.logger.error(`"${question.ask}" failed: ${errorText(error)}`);
            this.send({ almanac });
          },
        );
      else this.waiting.get(almanac)?.(reply);
    });
  }

  /** Sends a request; resolves to the reply, undefined after `timeout` milliseconds. */
  async ask<Reply>(question: ProcessRequest, timeout: number): Promise<Reply | undefined> {
    const almanac = ++this.sent;
    let timer: NodeJS.Timeout | undefined;
    const reply = new Promise<unknown>((resolve) => {
      timer = setTimeout(resolve, timeout);
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
    // The other process may have exited.
    this.channel.send(message, (error) => error && failed());
    return true;
  }
}
