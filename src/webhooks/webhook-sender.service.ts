import { Injectable } from '@nestjs/common';
import { Webhook as Signer } from 'standardwebhooks';
import { Clock } from '../common/clock.js';
import { firstLine } from '../common/errors/first-line.js';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import { ImageRejected, SafeFetch } from '../wordpress/media/safe-fetch.js';
import type { Delivery } from './delivery.entity.js';
import { MessageRecords } from './message-records.service.js';
import type { Webhook } from './webhook.entity.js';

/** The result of an attempt; without an error the receiver has accepted the message. */
export interface Outcome {
  /** The status of the response; 0 without one. */
  status: number;
  error?: string;
}

/** The time limit of an attempt, and how much of a response is read. */
const MILLISECONDS = 15_000;
const RESPONSE_BYTES = 64 * 1024;
/** The response of a receiver that wants no more messages. */
export const GONE = 410;

/** Signs a message and sends it once, by the Standard Webhooks rules. */
@Injectable()
export class WebhookSender {
  constructor(
    private readonly clock: Clock,
    private readonly records: MessageRecords,
    private readonly fetcher: SafeFetch,
  ) {}

  /** Sends a message; throws if `signal` ends it, or the database cannot be read. */
  async send(webhook: Webhook, delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
    const body = await this.bodyOf(delivery);
    if (body === undefined) return { status: 0, error: 'The record could not be rendered.' };
    signal.throwIfAborted();
    const now = new Date(this.clock.now());
    const { messageId } = delivery;
    const headers = {
      'Content-Type': 'application/json',
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': this.signingSecrets(webhook)
        .map((secret) => new Signer(secret).sign(messageId, now, body))
        .join(' '),
    };
    try {
      const status = await this.fetcher.post(webhook.url, {
        headers,
        body,
        signal,
        milliseconds: MILLISECONDS,
        bytes: RESPONSE_BYTES,
      });
      return status >= 200 && status < 300 ? { status } : { status, error: refusalOf(status) };
    } catch (error) {
      signal.throwIfAborted();
      return { status: 0, error: failureOf(error) };
    }
  }

  /** The secret, and the one before it while that signs too. */
  private signingSecrets({ secret, previousSecret, previousUntil }: Webhook): string[] {
    return previousUntil > this.clock.now() ? [secret, previousSecret] : [secret];
  }

  private async bodyOf(delivery: Delivery): Promise<string | undefined> {
    try {
      return JSON.stringify(await this.records.toMessage(delivery));
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      return undefined;
    }
  }
}

function refusalOf(status: number): string {
  if (status === GONE) return 'The receiver answered 410: it wants no more messages.';
  const why = status >= 300 && status < 400 ? ', and redirects are not followed' : '';
  return `The receiver answered ${status}${why}.`;
}

function failureOf(error: unknown): string {
  if (error instanceof ImageRejected) return `The address ${error.message}`;
  const { name, code } = error as { name?: string; code?: string };
  if (name === 'TimeoutError') return `There was no response within ${MILLISECONDS / 1000} seconds.`;
  return `The connection failed: ${code ?? firstLine(error)}.`.slice(0, 255);
}
