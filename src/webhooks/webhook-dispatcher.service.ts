import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Semaphore } from '../cache/semaphore.js';
import { Journal } from '../changes/journal.service.js';
import { Clock } from '../common/clock.js';
import { runDetached } from '../common/context/abort.js';
import { firstLine } from '../common/errors/first-line.js';
import { WakeablePause } from '../common/wakeable-pause.js';
import { Environment } from '../config/env.js';
import { Lease } from '../database/lease.service.js';
import type { Delivery } from './delivery.entity.js';
import { DeliveryAttempts } from './delivery-attempts.service.js';
import { DeliveryRows } from './delivery-rows.service.js';
import { MessageQueue } from './message-queue.service.js';
import { WebhookQueue } from './webhook-queue.js';
import { WebhookRows } from './webhook-rows.service.js';

/** Messages of all webhooks that are sent at the same time. */
const MAX_SENDING = 16;
/** Messages that are read at once. */
const BATCH = 50;
/** Milliseconds between two looks at the tables, where nothing is due before. */
const PERIOD_MS = 30_000;
/** The pause after an error of the database. */
const ERROR_PAUSE_MS = 5_000;
const TRIM_PERIOD_MS = 3_600_000;

/** Delivers messages in one process of all, while there are webhooks (docs/webhooks.md#delivery). */
@Injectable()
export class WebhookDispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();
  private readonly slots = new Semaphore(MAX_SENDING);
  private running?: Promise<void>;
  private timer?: NodeJS.Timeout;
  private trimmedAt = Number.NEGATIVE_INFINITY;
  private readonly pause = new WakeablePause();
  private lastFailure = '';
  private readonly logger = new Logger('Webhooks');

  constructor(
    private readonly env: Environment,
    private readonly clock: Clock,
    private readonly journal: Journal,
    private readonly lease: Lease,
    private readonly webhooks: WebhookRows,
    private readonly deliveries: DeliveryRows,
    private readonly messages: MessageQueue,
    private readonly attempts: DeliveryAttempts,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.isActive) return;
    this.wake();
    // `almanac webhook` may make the first one.
    this.timer = setInterval(() => this.wake(), PERIOD_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    this.pause.wake();
    await this.running;
  }

  /** Looks for due messages soon. */
  wake(): void {
    if (!this.isActive || this.stopping.signal.aborted) return;
    this.pause.wake();
    this.running ??= runDetached(() => this.run()).finally(() => {
      this.running = undefined;
    });
  }

  private get isActive(): boolean {
    return this.journal.isEnabled() && this.env.scheduler === 'on' && !this.env.readOnly;
  }

  /** Takes part in the delivery while there are webhooks. */
  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted)
      try {
        this.pause.reset();
        const isAny = (await this.webhooks.all()).length > 0;
        if (!isAny && !this.pause.isWoken) return;
        if (!isAny) continue;
        await this.lease.run('webhooks', (signal) => this.deliver(signal), this.stopping.signal);
      } catch (error) {
        this.logFailure(error);
        this.pause.reset();
        if (!this.stopping.signal.aborted) await this.pause.wait(ERROR_PAUSE_MS);
      }
  }

  /** Delivers until the signal ends it, or the last webhook is deleted. */
  private async deliver(held: AbortSignal): Promise<void> {
    const queues = new Map<number, WebhookQueue>();
    const ending = new AbortController();
    const signal = AbortSignal.any([held, ending.signal]);
    const wake = () => this.wake();
    held.addEventListener('abort', wake);
    const stopListening = this.journal.onChange(wake);
    try {
      while (!signal.aborted) {
        this.pause.reset();
        const all = await this.webhooks.all();
        if (all.length === 0) return;
        const enabled = all.filter(({ isEnabled }) => isEnabled).map(({ id }) => id);
        for (const id of enabled) if (!queues.has(id)) queues.set(id, this.queueOf(id, signal));
        await Promise.all(enabled.map((id) => queues.get(id)?.fill()));
        await this.trim(all.map(({ id }) => id));
        const due = await this.untilDue(enabled);
        if (!signal.aborted) await this.pause.wait(due);
      }
    } finally {
      stopListening();
      ending.abort();
      await Promise.all([...queues.values()].map((queue) => queue.end()));
    }
  }

  private queueOf(webhookId: number, signal: AbortSignal): WebhookQueue {
    return new WebhookQueue(
      {
        due: (sending) => this.due(webhookId, sending),
        send: (delivery) => this.slots.run(() => this.send(delivery, signal)),
        failed: (error) => {
          if (error !== undefined && !signal.aborted) this.logFailure(error);
          // The next attempt may be due before the end of the pause.
          else this.wake();
        },
      },
      signal,
    );
  }

  /** Due messages, after those of further changes were added if there are few. */
  private async due(webhookId: number, sending: readonly number[]): Promise<Delivery[]> {
    if (!(await this.webhooks.find(webhookId))?.isEnabled) return [];
    const read = () => this.deliveries.due(webhookId, this.clock.now(), sending, BATCH);
    let found = await read();
    while (found.length < BATCH / 2 && (await this.messages.takeMore(webhookId))) found = await read();
    return found;
  }

  /** Sends a message unless it or its webhook was changed meanwhile; returns false after a failure. */
  private async send(delivery: Delivery, signal: AbortSignal): Promise<boolean> {
    const webhook = await this.webhooks.find(delivery.webhookId);
    if (!webhook?.isEnabled || !(await this.deliveries.isPending(delivery.id))) return true;
    return this.attempts.attempt(webhook, delivery, signal);
  }

  private async trim(webhookIds: readonly number[]): Promise<void> {
    if (performance.now() - this.trimmedAt < TRIM_PERIOD_MS) return;
    this.trimmedAt = performance.now();
    await this.deliveries.trim(webhookIds, this.clock.now());
  }

  private async untilDue(webhookIds: readonly number[]): Promise<number> {
    const now = this.clock.now();
    const next = await this.deliveries.nextAt(webhookIds, now);
    return Math.min(PERIOD_MS, next === undefined ? PERIOD_MS : next - now);
  }

  private logFailure(error: unknown): void {
    const failure = `Messages to webhooks could not be delivered: ${firstLine(error)}`;
    if (failure !== this.lastFailure) this.logger.warn(failure);
    this.lastFailure = failure;
  }
}
