import type { Delivery } from './delivery.entity.js';

/** What a queue does with messages. */
export interface QueueWork {
  /** Due messages, each the first of its record, but for those being sent. */
  due(sending: readonly number[]): Promise<Delivery[]>;
  /** Sends one and returns whether it was delivered; an error leaves it as it is. */
  send(delivery: Delivery): Promise<boolean>;
  /** Called after a failure, with its error where the attempt could not be recorded. */
  failed(error?: unknown): void;
}

/** Messages of one webhook that are sent at the same time; after a failure it is one until the next success. */
const MAX_SENDING = 4;

/** Sends the messages of one webhook, a few at a time. */
export class WebhookQueue {
  private waiting: Delivery[] = [];
  private readonly sending = new Map<number, Promise<void>>();
  private filled: Promise<void> = Promise.resolve();
  private isFilling = false;
  private isAskedAgain = false;
  private isFailing = false;

  constructor(
    private readonly work: QueueWork,
    private readonly signal: AbortSignal,
  ) {}

  /** Starts to send what is due; resolves when nothing further can be started. */
  fill(): Promise<void> {
    this.isAskedAgain = true;
    if (!this.isFilling) this.filled = this.start();
    return this.filled;
  }

  /** Resolves when nothing is being sent, after the signal has aborted. */
  async end(): Promise<void> {
    await this.filled.catch(() => undefined);
    await Promise.all(this.sending.values());
  }

  private async start(): Promise<void> {
    this.isFilling = true;
    try {
      while (this.isAskedAgain) {
        this.isAskedAgain = false;
        while (!this.signal.aborted && this.sending.size < this.limit) {
          if (this.waiting.length === 0) this.waiting = await this.work.due([...this.sending.keys()]);
          const next = this.waiting.shift();
          if (!next || this.signal.aborted) break;
          this.sending.set(next.id, this.send(next));
        }
      }
    } finally {
      this.isFilling = false;
    }
  }

  private get limit(): number {
    return this.isFailing ? 1 : MAX_SENDING;
  }

  private async send(delivery: Delivery): Promise<void> {
    try {
      const isDelivered = await this.work.send(delivery);
      this.isFailing = !isDelivered;
      this.sending.delete(delivery.id);
      if (!isDelivered) this.work.failed();
      this.fill().catch((error: unknown) => this.work.failed(error));
    } catch (error) {
      // Not at once: the database may be gone.
      this.sending.delete(delivery.id);
      this.waiting = [];
      this.work.failed(error);
    }
  }
}
