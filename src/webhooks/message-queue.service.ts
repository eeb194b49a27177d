import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { Change } from '../changes/change.js';
import { Journal } from '../changes/journal.service.js';
import { Clock } from '../common/clock.js';
import type { Delivery } from './delivery.entity.js';
import { DeliveryRows } from './delivery-rows.service.js';
import { MessageRecords } from './message-records.service.js';
import { GAP, isWanted } from './message-types.js';
import type { Webhook } from './webhook.entity.js';
import { WebhookRows } from './webhook-rows.service.js';

/** Entries of the journal that are read at once. */
const PAGE = 500;
/** Pending messages of a webhook, from which on the journal waits. */
const MAX_PENDING = 1_000;

/** Turns entries of the journal into messages of a webhook, as far as they are needed soon. */
@Injectable()
export class MessageQueue {
  private readonly logger = new Logger('Webhooks');

  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
    private readonly webhooks: WebhookRows,
    private readonly deliveries: DeliveryRows,
    private readonly records: MessageRecords,
  ) {}

  /** Takes further entries of the journal; false at its end, and while enough messages are pending. */
  async takeMore(webhookId: number): Promise<boolean> {
    const webhook = await this.webhooks.find(webhookId);
    if (!webhook) return false;
    const { position } = webhook;
    const head = await this.journal.head();
    const now = this.clock.now();
    if (head < position) {
      this.logger.warn(`Webhook ${webhookId}: the journal was made anew, and is followed from now on.`);
      await this.deliveries.restart(webhookId, now);
      await this.deliveries.add([this.ownMessage(webhookId, GAP, null)]);
      await this.webhooks.restart(webhookId, head, now);
      return true;
    }
    if (head === position) return false;
    const pending = (await this.deliveries.pending(webhookId)).get(webhookId) ?? 0;
    if (pending >= MAX_PENDING) return false;
    const changes = await this.journal.after(position, { limit: PAGE });
    const first = changes[0]?.seq ?? head + 1;
    if (first > position + 1) await this.tellGap(webhook, first - 1);
    // A process that was killed may have added messages without moving on.
    const added = await this.deliveries.lastSeq(webhookId);
    const wanted = changes
      .filter(({ seq }) => seq > added)
      .flatMap((change) => this.toMessages(webhook, change));
    await this.deliveries.add(wanted);
    const last = changes.at(-1);
    if (last) await this.webhooks.moveTo(webhookId, last.seq, { at: now });
    return true;
  }

  /** A message that is not about a change, due at once. */
  ownMessage(webhookId: number, type: string, seq: number | null): Omit<Delivery, 'id'> {
    const now = this.clock.now();
    return {
      ...{ webhookId, seq, type, messageId: newMessageId(), createdAt: now, nextAt: now, changedAt: now },
      ...{ recordType: '', recordId: 0, slug: '', modified: '' },
      ...{ status: 'pending', attempts: 0, lastStatus: 0, lastError: '', attemptedAt: 0 },
    };
  }

  /** Tells the receiver and the webhook of entries up to `end` that were trimmed. */
  private async tellGap({ id, position }: Webhook, end: number): Promise<void> {
    const missed = end - position;
    this.logger.warn(
      `Webhook ${id} missed ${missed} changes: the journal was trimmed before they were delivered (CHANGES_DAYS).`,
    );
    if ((await this.deliveries.lastSeq(id)) < end)
      await this.deliveries.add([{ ...this.ownMessage(id, GAP, end), recordId: missed }]);
    await this.webhooks.moveTo(id, end, { missed, at: this.clock.now() });
  }

  private toMessages({ id: webhookId, types }: Webhook, change: Change): Omit<Delivery, 'id'>[] {
    const resource = this.records.resourceOf(change.type);
    const type = `${resource?.singular ?? change.type}.${change.change}`;
    if (!resource || !isWanted(types, type)) return [];
    const wasPublic =
      resource.kind === 'term' || change.status === 'publish' || change.statusBefore === 'publish';
    return [
      {
        ...this.ownMessage(webhookId, type, change.seq),
        recordType: change.type,
        recordId: change.id,
        slug: wasPublic ? change.slug : '',
        modified: change.modified,
        changedAt: change.changedAt,
      },
    ];
  }
}

const newMessageId = (): string => `msg_${randomUUID().replaceAll('-', '')}`;
