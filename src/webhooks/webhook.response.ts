import { type RestBase, restUrl } from '../http/rest-request.js';
import { INTEGER, Member, URL_MEMBER } from '../resources/base/member.js';
import { PageInfo } from '../resources/base/page.js';
import { DELIVERY_STATUSES, type Delivery, type DeliveryStatus } from './delivery.entity.js';
import type { Webhook } from './webhook.entity.js';

const TIME = { type: ['string', 'null'], format: 'date-time' } as const;
const OPTIONAL_TEXT = { type: ['string', 'null'] } as const;

/** A webhook. */
export class WebhookJson {
  @Member(INTEGER) id: number;
  @Member() url: string;
  @Member({ type: 'array', items: { type: 'string' } }) types: string[];
  @Member() description: string;
  @Member() enabled: boolean;
  @Member({ ...OPTIONAL_TEXT, description: 'Why the server disabled it.' }) disabled_reason: string | null;
  @Member(TIME) created: string | null;
  @Member({ ...INTEGER, description: 'Messages that wait; further ones follow from the journal.' })
  pending: number;
  @Member({ ...INTEGER, description: 'Messages since its creation.' }) delivered: number;
  @Member(INTEGER) failed_attempts: number;
  @Member(TIME) last_delivered: string | null;
  @Member({ ...INTEGER, description: 'Changes that were trimmed from the journal before they were sent.' })
  missed_changes: number;
  @Member(TIME) last_missed: string | null;
  @Member(URL_MEMBER) rest_url: string;
  @Member({ description: 'Only in the response of its creation.', optional: true }) secret?: string;
}

/** All webhooks. */
export class WebhooksJson {
  @Member(URL_MEMBER) rest_url: string;
  @Member(INTEGER) total: number;
  @Member({ type: 'array', items: WebhookJson }) webhooks: WebhookJson[];
}

/** A message to a webhook. */
export class WebhookDeliveryJson {
  @Member({ description: 'The header `webhook-id`.' }) id: string;
  @Member({ type: ['integer', 'null'], description: 'The entry of the journal.' }) seq: number | null;
  @Member({ description: 'Such as event.created.' }) type: string;
  @Member({ type: ['integer', 'null'], description: 'The id of the record.' }) record: number | null;
  @Member({ type: 'string', enum: DELIVERY_STATUSES }) status: DeliveryStatus;
  @Member(INTEGER) attempts: number;
  @Member(TIME) next_attempt: string | null;
  @Member(TIME) last_attempt: string | null;
  @Member({ type: ['integer', 'null'] }) response_status: number | null;
  @Member({ ...OPTIONAL_TEXT, description: 'Why the last attempt failed.' }) error: string | null;
  @Member(TIME) created: string | null;
}

/** A page of messages. */
export class WebhookDeliveriesJson extends PageInfo {
  @Member({ type: 'array', items: WebhookDeliveryJson }) deliveries: WebhookDeliveryJson[];
}

/** The classes of responses, for `/openapi.json`. */
export const WEBHOOK_CLASSES = [WebhooksJson, WebhookDeliveriesJson];

/** The JSON of a webhook, without its secret. */
export function toWebhookResponse(webhook: Webhook, pending: number, base: RestBase): WebhookJson {
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
export function toDeliveryResponse(delivery: Delivery): WebhookDeliveryJson {
  const { messageId, seq, type, recordId, status, attempts, lastStatus, lastError } = delivery;
  return {
    id: messageId,
    seq: seq !== null && seq > 0 ? seq : null,
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
