import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangesModule } from '../changes/changes.module.js';
import { HttpModule } from '../http/http.module.js';
import { MediaModule } from '../wordpress/media/media.module.js';
import { Delivery } from './delivery.entity.js';
import { DeliveryAttempts } from './delivery-attempts.service.js';
import { DeliveryRows } from './delivery-rows.service.js';
import { MessageQueue } from './message-queue.service.js';
import { MessageRecords } from './message-records.service.js';
import { OwnWrites } from './own-writes.service.js';
import { Webhook } from './webhook.entity.js';
import { WebhookDispatcher } from './webhook-dispatcher.service.js';
import { WebhookRows } from './webhook-rows.service.js';
import { WebhookSender } from './webhook-sender.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

/** Webhooks by the Standard Webhooks rules, delivered from the journal of changes (docs/webhooks.md). */
@Module({
  imports: [TypeOrmModule.forFeature([Webhook, Delivery]), HttpModule, MediaModule, ChangesModule],
  controllers: [WebhooksController],
  providers: [
    OwnWrites,
    WebhookRows,
    DeliveryRows,
    MessageRecords,
    MessageQueue,
    WebhookSender,
    DeliveryAttempts,
    WebhookDispatcher,
    WebhooksService,
  ],
  exports: [WebhooksService, WebhookDispatcher],
})
export class WebhooksModule {}
