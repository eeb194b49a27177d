import { type RestBase, restUrl } from '../http/rest-request.js';
import type { Delivery } from './delivery.entity.js';
import type { Webhook } from './webhook.entity.js';

export type WebhookJson = ReturnType<typeof toWebhookResponse>;
export type DeliveryJson = ReturnType<typeof toDeliveryResponse>;

/** The JSON of a webhook, without its secret. */
export function toWebhookResponse(webhook: Webhook, pending: number, base: RestBase) {
  const { id, url, types, description, isEnabled, disabledReason, missed, missedAt } = webhook;
  return {
    id,
    url,
    types: types.split(','),
    description,
    enabled: Boolean(isEnabled),
    disabled_reason: disabledReason || null,
    created: iso(webhook.createdAt),
    pending,
    delivered: webhook.delivered,
    failed_attempts: webhook.failedAttempts,
    last_delivered: iso(webhook.deliveredAt),
    missed_changes: missed,
    last_missed: iso(missedAt),
    rest_url: restUrl(base, `/webhooks/${id}`),
  };
}

/** The JSON of a message. */
export function toDeliveryResponse(delivery: Delivery) {
  const { messageId, seq, type, recordId, status, attempts, lastStatus, lastError } = delivery;
  return {
    id: messageId,
    seq,
    type,
    record: delivery.recordType === '' ? null : recordId,
    status,
    attempts,
    next_attempt: status === 'pending' ? iso(delivery.nextAt) : null,
    last_attempt: iso(delivery.attemptedAt),
    response_status: lastStatus || null,
    error: lastError || null,
    created: iso(delivery.createdAt),
  };
}

const iso = (milliseconds: number): string | null =>
  milliseconds > 0 ? new Date(milliseconds).toISOString() : null;
