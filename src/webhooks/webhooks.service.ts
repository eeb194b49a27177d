import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Journal } from '../changes/journal.service.js';
import { Clock } from '../common/clock.js';
import { invalidParameter, RestException } from '../common/errors/rest-exception.js';
import { Transactions } from '../database/transactions.js';
import { Resources } from '../resources/base/resources.js';
import type { Delivery } from './delivery.entity.js';
import { DeliveryAttempts } from './delivery-attempts.service.js';
import { DeliveryRows } from './delivery-rows.service.js';
import { MessageQueue } from './message-queue.service.js';
import { parseTypes, TEST } from './message-types.js';
import type { CreateWebhookDto, ListDeliveriesQuery, UpdateWebhookDto } from './webhook.dto.js';
import type { Webhook } from './webhook.entity.js';
import { WebhookDispatcher } from './webhook-dispatcher.service.js';
import { WebhookRows } from './webhook-rows.service.js';

const MAX_WEBHOOKS = 50;
const MAX_URL_LENGTH = 2_000;
const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const SECRET_BYTES = 32;
/** How long a replaced secret signs too, in milliseconds. */
const ROTATION_MS = 86_400_000;

/** Manages webhooks and their messages; callers have checked the right to. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
    private readonly transactions: Transactions,
    private readonly resources: Resources,
    private readonly rows: WebhookRows,
    private readonly deliveries: DeliveryRows,
    private readonly messages: MessageQueue,
    private readonly attempts: DeliveryAttempts,
    private readonly dispatcher: WebhookDispatcher,
  ) {}

  /** All webhooks with the numbers of their pending messages. */
  async list(): Promise<{ webhook: Webhook; pending: number }[]> {
    this.checkEnabled();
    const [all, pending] = await Promise.all([this.rows.all(), this.deliveries.pending()]);
    return all.map((webhook) => ({ webhook, pending: pending.get(webhook.id) ?? 0 }));
  }

  async get(id: number): Promise<{ webhook: Webhook; pending: number }> {
    const webhook = await this.find(id);
    return { webhook, pending: (await this.deliveries.pending(id)).get(id) ?? 0 };
  }

  /** Creates a webhook that hears of what changes from now on. */
  async create(fields: CreateWebhookDto): Promise<Webhook> {
    this.checkEnabled();
    const values = this.checked(fields);
    const { types = ['*'], description = '', enabled = true } = values;
    const secret = values.secret ?? `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    const journalId = (await this.journal.id()) ?? '';
    const position = await this.journal.head();
    const id = await this.transactions.run(async (transaction) => {
      const { manager } = transaction;
      transaction.keepsCaches = true;
      if ((await this.rows.all(manager)).length >= MAX_WEBHOOKS)
        throw new RestException(
          'invalid',
          'too_many_webhooks',
          `A site has at most ${MAX_WEBHOOKS} webhooks.`,
        );
      return this.rows.insert(manager, {
        ...{ url: fields.url, types: types.join(','), description, secret, journalId, position },
        ...{ isEnabled: Number(enabled), createdAt: this.clock.now() },
      });
    });
    this.dispatcher.wake();
    return this.find(id);
  }

  async update(id: number, fields: UpdateWebhookDto): Promise<Webhook> {
    await this.find(id);
    const { url, types, description, enabled, secret } = this.checked(fields);
    const now = this.clock.now();
    await this.transactions.run(async (transaction) => {
      const { manager } = transaction;
      transaction.keepsCaches = true;
      const before = await this.rows.find(id, manager);
      if (!before) throw unknownWebhook(id);
      const isRotated = secret !== undefined && secret !== before.secret;
      await this.rows.update(manager, id, {
        ...{ url, types: types?.join(','), description },
        ...(isRotated && { secret, previousSecret: before.secret, previousUntil: now + ROTATION_MS }),
        ...(enabled !== undefined && { isEnabled: Number(enabled) }),
        ...(enabled && { disabledReason: '' }),
      });
      if (enabled && !before.isEnabled) await this.deliveries.resume(manager, id, now);
    });
    this.dispatcher.wake();
    return this.find(id);
  }

  /** Deletes a webhook with its messages; what is being sent is still sent. */
  async remove(id: number): Promise<Webhook> {
    const webhook = await this.find(id);
    await this.transactions.run(async (transaction) => {
      const { manager } = transaction;
      transaction.keepsCaches = true;
      await this.rows.remove(manager, id);
      await this.deliveries.removeAll(manager, id);
    });
    this.dispatcher.wake();
    return webhook;
  }

  /** A page of a webhook's messages, newest first. */
  async listDeliveries(
    id: number,
    { page, per_page: perPage, status }: Pick<ListDeliveriesQuery, 'page' | 'per_page' | 'status'>,
  ): Promise<{ rows: Delivery[]; total: number }> {
    await this.find(id);
    return this.deliveries.page(id, { page, perPage, ...(status && { status }) });
  }

  /** Sends a message of the type `webhook.test` once, and returns it with its result. */
  async test(id: number): Promise<Delivery> {
    const webhook = await this.find(id);
    const message = this.messages.ownMessage(id, TEST, null);
    // The dispatcher must not send it again.
    await this.deliveries.add([{ ...message, status: 'failed' }]);
    return this.sendNow(webhook, message.messageId);
  }

  /** Sends a message once more, which is not pending, and returns it with its result. */
  async redeliver(id: number, messageId: string): Promise<Delivery> {
    const webhook = await this.find(id);
    const { status } = await this.findDelivery(id, messageId);
    if (status === 'pending')
      throw new RestException(
        'invalid',
        'webhook_message_pending',
        `The message ${messageId} is pending: it is sent anyway.`,
      );
    return this.sendNow(webhook, messageId);
  }

  private async sendNow(webhook: Webhook, messageId: string): Promise<Delivery> {
    this.transactions.checkWritable();
    const delivery = await this.findDelivery(webhook.id, messageId);
    await this.attempts.sendNow(webhook, delivery, new AbortController().signal);
    return this.findDelivery(webhook.id, messageId);
  }

  private async find(id: number): Promise<Webhook> {
    this.checkEnabled();
    const webhook = await this.rows.find(id);
    if (!webhook) throw unknownWebhook(id);
    return webhook;
  }

  private async findDelivery(id: number, messageId: string): Promise<Delivery> {
    const delivery = await this.deliveries.find(id, messageId);
    if (!delivery)
      throw new RestException(
        'not_found',
        'rest-webhook-message-not-found',
        `Webhook ${id} has no message ${JSON.stringify(messageId.slice(0, 64))}.`,
      );
    return delivery;
  }

  /** Throws 400 for a field that cannot be stored. */
  private checked<Fields extends UpdateWebhookDto>(fields: Fields): Fields {
    const { url, secret, types } = fields;
    if (url !== undefined) checkUrl(url);
    const bytes = Buffer.from(SECRET.exec(secret ?? '')?.[1] ?? '', 'base64').length;
    if (secret !== undefined && (bytes < 24 || bytes > 64))
      throw invalidParameter('secret', 'secret must be whsec_ and 24 to 64 bytes in base64.');
    if (types === undefined) return fields;
    return { ...fields, types: parseTypes(types, this.resources.all()) };
  }

  private checkEnabled(): void {
    if (!this.journal.isEnabled())
      throw new RestException(
        'invalid',
        'changes_disabled',
        'Webhooks need the journal of changes: set CHANGES=on and run "almanac migrate".',
      );
  }
}

/** Throws 400 for what is no http(s) address; whether it is public is checked when a message is sent. */
function checkUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw invalidParameter('url', 'url must be an http(s) address.');
  if (url.username !== '' || url.password !== '')
    throw invalidParameter('url', 'url must not hold credentials.');
  if (text.length > MAX_URL_LENGTH)
    throw invalidParameter('url', `url may have at most ${MAX_URL_LENGTH} characters.`);
}

const unknownWebhook = (id: number) =>
  new RestException('not_found', 'rest-webhook-not-found', `There is no webhook with the id ${id}.`);
