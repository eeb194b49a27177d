import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Metrics } from '../observability/metrics/metrics.service.js';
import type { Delivery } from './delivery.entity.js';
import { type Attempted, DeliveryRows } from './delivery-rows.service.js';
import { pauseAfterAttempt } from './retries.js';
import type { Webhook } from './webhook.entity.js';
import { GONE, type Outcome, WebhookSender } from './webhook-sender.service.js';

/** Attempts to deliver messages, and records how they ended. */
@Injectable()
export class DeliveryAttempts {
  /** Of this process since its start. */
  private readonly counts = { delivered: 0, failed: 0, given_up: 0, disabled: 0 };
  private readonly logger = new Logger('Webhooks');

  constructor(
    private readonly clock: Clock,
    private readonly sender: WebhookSender,
    private readonly deliveries: DeliveryRows,
    metrics: Metrics,
  ) {
    const help = 'Attempts to deliver messages to webhooks, messages given up, and webhooks disabled for it.';
    metrics.counter('almanac_webhook_attempts_total', help, 'result', () => ({ ...this.counts }));
  }

  /** Sends a pending message, to be tried again if it fails; returns whether it was delivered. */
  async attempt(webhook: Webhook, delivery: Delivery, signal: AbortSignal): Promise<boolean> {
    const outcome = await this.sender.send(webhook, delivery, signal);
    const pause = outcome.status === GONE ? undefined : pauseAfterAttempt(delivery.attempts + 1);
    const given = this.toAttempted(outcome, pause);
    await this.deliveries.record(delivery, webhook, given);
    if (given.disables !== undefined) {
      this.counts.disabled += 1;
      // The path of an address may be a secret.
      const { host } = new URL(webhook.url);
      this.logger.warn(`Webhook ${webhook.id} (${host}) is disabled: ${given.disables}`);
    }
    return given.status === 'delivered';
  }

  /** Sends a message once, now, whatever became of it before. */
  async sendNow(webhook: Webhook, delivery: Delivery, signal: AbortSignal): Promise<void> {
    const outcome = await this.sender.send(webhook, delivery, signal);
    const { disables: _, status, ...once } = this.toAttempted(outcome, undefined);
    // What failed once more may be pending by now, as its webhook was enabled.
    await this.deliveries.record(delivery, webhook, { ...once, ...(status === 'delivered' && { status }) });
  }

  /** `pause`: milliseconds until the next attempt, should it have failed; undefined for the last one. */
  private toAttempted({ status, error }: Outcome, pause: number | undefined): Attempted {
    const now = this.clock.now();
    const attempted = { lastStatus: status, lastError: error ?? '', attemptedAt: now, nextAt: now };
    if (error === undefined) {
      this.counts.delivered += 1;
      return { ...attempted, status: 'delivered' };
    }
    this.counts.failed += 1;
    if (pause !== undefined) return { ...attempted, status: 'pending', nextAt: now + pause };
    this.counts.given_up += 1;
    const why = status === GONE ? error : `A message could not be delivered for two days. ${error}`;
    return { ...attempted, status: 'failed', disables: why.slice(0, 255) };
  }
}
