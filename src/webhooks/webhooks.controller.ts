import {
  applyDecorators,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  SetMetadata,
  type Type,
} from '@nestjs/common';
import { forbidden } from '../common/errors/rest-exception.js';
import { OWN_NAMESPACE } from '../config/env.js';
import { Parameters } from '../http/params/parameters.js';
import { PathId } from '../http/params/path-id.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { restUrl } from '../http/rest-request.js';
import { ReturnsSecret } from '../http/returns-secret.decorator.js';
import { Update } from '../http/update.decorator.js';
import { schemaRef } from '../resources/base/json-schema.js';
import { pageLinks, withPageHeaders } from '../resources/base/page.js';
import { CreateWebhookDto, ListDeliveriesQuery, UpdateWebhookDto } from './webhook.dto.js';
import {
  toDeliveryResponse,
  toWebhookResponse,
  WebhookDeliveriesJson,
  WebhookDeliveryJson,
  WebhookJson,
  WebhooksJson,
} from './webhook.response.js';
import { WebhooksService } from './webhooks.service.js';

/** Documents a response by the metadata of Swagger's decorators, as Swagger is loaded on demand. */
const Documented = (json: Type<object>, summary: string, status = 200): MethodDecorator =>
  applyDecorators(
    SetMetadata('swagger/apiOperation', { summary, description: 'Needs `manage_options`.' }),
    SetMetadata('swagger/apiResponse', {
      [status]: { description: summary, content: { 'application/json': { schema: schemaRef(json) } } },
    }),
  );

/** Webhooks and their messages, for users who manage options (docs/webhooks.md). */
@Controller(`${OWN_NAMESPACE}/webhooks`)
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @Documented(WebhooksJson, 'List webhooks')
  async listWebhooks(@Context() context: RequestContext) {
    checkRight(context);
    const all = await this.webhooks.list();
    return {
      rest_url: restUrl(context.base, '/webhooks/'),
      total: all.length,
      webhooks: all.map(({ webhook, pending }) => toWebhookResponse(webhook, pending, context.base)),
    };
  }

  @Post()
  @ReturnsSecret()
  @Documented(WebhookJson, 'Create a webhook; the only response with its secret', 201)
  async createWebhook(
    @Parameters(CreateWebhookDto) fields: CreateWebhookDto,
    @Context() context: RequestContext,
  ) {
    checkRight(context);
    const webhook = await this.webhooks.create(fields);
    return { ...toWebhookResponse(webhook, 0, context.base), secret: webhook.secret };
  }

  @Get(':id')
  @Documented(WebhookJson, 'Read one webhook')
  async getWebhook(@Param('id', PathId) id: number, @Context() context: RequestContext) {
    checkRight(context);
    const { webhook, pending } = await this.webhooks.get(id);
    return toWebhookResponse(webhook, pending, context.base);
  }

  @Update(':id')
  @Documented(WebhookJson, 'Update one webhook: what is not sent stays')
  async updateWebhook(
    @Param('id', PathId) id: number,
    @Parameters(UpdateWebhookDto) fields: UpdateWebhookDto,
    @Context() context: RequestContext,
  ) {
    checkRight(context);
    await this.webhooks.update(id, fields);
    const { webhook, pending } = await this.webhooks.get(id);
    return toWebhookResponse(webhook, pending, context.base);
  }

  @Delete(':id')
  @Documented(WebhookJson, 'Delete one webhook with its messages')
  async deleteWebhook(@Param('id', PathId) id: number, @Context() context: RequestContext) {
    checkRight(context);
    return toWebhookResponse(await this.webhooks.remove(id), 0, context.base);
  }

  @Post(':id/test')
  @HttpCode(200)
  @Documented(WebhookDeliveryJson, 'Send a test message, and say what came back')
  async testWebhook(@Param('id', PathId) id: number, @Context() context: RequestContext) {
    checkRight(context);
    return toDeliveryResponse(await this.webhooks.test(id));
  }

  @Get(':id/deliveries')
  @Documented(WebhookDeliveriesJson, 'List the messages to a webhook, newest first')
  listDeliveries(
    @Param('id', PathId) id: number,
    @Parameters(ListDeliveriesQuery) query: ListDeliveriesQuery,
    @Context() context: RequestContext,
  ) {
    checkRight(context);
    return withPageHeaders(this.deliveriesPage(id, query, context), query);
  }

  @Post(':id/deliveries/:message/redeliver')
  @HttpCode(200)
  @Documented(WebhookDeliveryJson, 'Send a message again, now')
  async redeliverMessage(
    @Param('id', PathId) id: number,
    @Param('message') message: string,
    @Context() context: RequestContext,
  ) {
    checkRight(context);
    return toDeliveryResponse(await this.webhooks.redeliver(id, message));
  }

  private async deliveriesPage(id: number, query: ListDeliveriesQuery, { base }: RequestContext) {
    const { rows, total } = await this.webhooks.listDeliveries(id, query);
    const totalPages = Math.ceil(total / query.per_page);
    const url = restUrl(base, `/webhooks/${id}/deliveries/`);
    return {
      rest_url: url,
      ...pageLinks(url, query.page, totalPages),
      total,
      total_pages: totalPages,
      deliveries: rows.map(toDeliveryResponse),
    };
  }
}

function checkRight({ access }: RequestContext): void {
  if (!access.can('manage_options')) throw forbidden('You may not manage webhooks.');
}
