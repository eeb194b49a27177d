import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Clock, EVENT, Hooks, Job, type JobRun, Jobs, postHooks } from 'almanac';
import type { Repository } from 'typeorm';
import { Message } from './message.entity.js';

const DELIVER = 'acme_outbox_deliver';

/** Stores each change of an event with the write itself, and sends it afterwards. */
@Injectable()
export class Outbox implements OnModuleInit {
  private readonly url = process.env['OUTBOX_URL'] ?? '';

  constructor(
    private readonly hooks: Hooks,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    @InjectRepository(Message) private readonly messages: Repository<Message>,
  ) {}

  onModuleInit(): void {
    if (!URL.canParse(this.url)) throw new Error('OUTBOX_URL must be the address of the receiver.');
    this.hooks.addAction(postHooks(EVENT).beforeCommit, async ({ id, change, transaction }) => {
      const changedAt = new Date(this.clock.now());
      await transaction.manager.save(transaction.manager.create(Message, { event: id, change, changedAt }));
      await this.jobs.enqueue(DELIVER, { event: id }, { transaction });
    });
  }

  /** Sends what waits for one event, oldest first, so that a change which is repeated later is never overtaken. */
  @Job({ name: DELIVER, retries: 12, backoff: '5s', timeout: '1m' })
  async deliver({ event }: { event: number }, { signal }: JobRun): Promise<void> {
    for (const message of await this.messages.find({ where: { event }, order: { id: 'ASC' } })) {
      await this.send(message, signal);
      await this.messages.delete(message.id);
    }
  }

  private async send(message: Message, signal: AbortSignal): Promise<void> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': String(message.id) };
    const response = await fetch(this.url, {
      method: 'POST',
      headers,
      body: JSON.stringify(message),
      signal,
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The receiver responded with ${response.status}.`);
  }
}
