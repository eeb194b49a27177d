import { Transform } from 'class-transformer';
import type { TransformParams } from '../http/params/check-context.js';
import { IsOneOf } from '../http/params/checks.js';
import { filterItems } from '../http/params/fields.js';
import { PageArg, PerPageArg } from '../http/params/list-args.js';
import { BodyExample, RequiredArgs, RestArg } from '../http/params/rest-arg.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from './delivery.entity.js';

/** The fields of an update; `WebhooksService` checks them. */
@BodyExample({ url: 'https://example.org/hooks/calendar', types: ['event.*'] })
export class UpdateWebhookDto {
  @RestArg({
    type: 'string',
    description: 'Where messages are posted: a public http(s) address.',
    schema: { format: 'uri' },
  })
  url?: string;
  @RestArg(
    {
      items: 'string',
      description: 'Types of messages: *, event.*, event.created and the like. All by default.',
    },
    Transform(({ value }: TransformParams) => (value === undefined ? undefined : filterItems(value))),
  )
  types?: string[];
  @RestArg({ type: 'string', description: 'A note for people.' })
  description?: string;
  @RestArg({
    type: 'string',
    description:
      'The key of signatures: whsec_ and 24 to 64 bytes in base64. Made by the server if it is not sent; on update, the former one signs too for a day.',
    schema: { pattern: '^whsec_' },
  })
  secret?: string;
  @RestArg({
    type: 'boolean',
    description: 'Whether messages are sent; true sends what has waited, and what was given up.',
  })
  enabled?: boolean;
}

/** The fields of a new webhook. */
@RequiredArgs('url')
export class CreateWebhookDto extends UpdateWebhookDto {
  declare url: string;
}

/** Parameters of the list of messages. */
export class ListDeliveriesQuery {
  @PageArg() page: number;
  @PerPageArg() per_page: number;
  @RestArg(
    { type: 'string', description: 'Only pending, delivered or failed ones.' },
    IsOneOf(DELIVERY_STATUSES)(),
  )
  status?: DeliveryStatus;
}
