import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { RestException } from '../common/errors/rest-exception.js';
import { RequestContexts } from '../http/request-contexts.service.js';
import { restUrl } from '../http/rest-request.js';
import { PostReader } from '../resources/base/post-reader.js';
import type { Resource } from '../resources/base/resource.js';
import { Resources } from '../resources/base/resources.js';
import { EventTermsService } from '../resources/terms/event-terms.service.js';
import type { Delivery } from './delivery.entity.js';
import { GAP, recordTypeOf, TEST } from './message-types.js';

/** The body of a request to a webhook (docs/webhooks.md#messages). */
export interface Message {
  type: string;
  /** When the change was journaled, as ISO 8601. */
  timestamp: string;
  data: Record<string, unknown>;
}

type Reader =
  | Pick<PostReader<string, object, object, never, never>, 'get'>
  | Pick<EventTermsService<string, object>, 'get'>;

/** Makes messages, with records as anonymous callers see them at the time of the attempt. */
@Injectable()
export class MessageRecords {
  private readers?: ReadonlyMap<string, { resource: Resource; reader?: Reader }>;

  constructor(
    private readonly resources: Resources,
    private readonly contexts: RequestContexts,
    private readonly discovery: DiscoveryService,
  ) {}

  async toMessage(delivery: Delivery): Promise<Message> {
    const { type, recordType, recordId, changedAt } = delivery;
    const message = { type, timestamp: new Date(changedAt).toISOString() };
    if (type === TEST) return { ...message, data: { webhook: delivery.webhookId } };
    if (type === GAP) return { ...message, data: { webhook: delivery.webhookId, missed: recordId } };
    const { resource, reader } = this.readerOf(recordType);
    const [, change = ''] = type.split('.');
    const context = await this.contexts.anonymous();
    const record = (await reader?.get(recordId, {}, context).catch(unlessHidden)) ?? null;
    const isGone = change === 'trashed' || change === 'deleted';
    const { slug, modified } = delivery;
    return {
      ...message,
      data: {
        id: recordId,
        type: resource?.singular ?? recordType,
        change,
        // A private record must not tell its title.
        slug: (isGone || record) && slug !== '' ? slug : null,
        modified: modified === '' ? null : `${modified.replace(' ', 'T')}Z`,
        rest_url: resource ? restUrl(context.base, `/${resource.path}/${recordId}`) : null,
        record,
      },
    };
  }

  /** The resource of a post type or taxonomy, and the service that reads its records. */
  readerOf(recordType: string): { resource?: Resource; reader?: Reader } {
    this.readers ??= this.findReaders();
    return this.readers.get(recordType) ?? {};
  }

  private findReaders() {
    const services = this.discovery.getProviders().map(({ instance }): unknown => instance);
    const found = new Map<string, { resource: Resource; reader?: Reader }>();
    for (const resource of this.resources.all()) {
      const reader = services.find(
        (one): one is Reader =>
          (one instanceof PostReader && one.resource === resource) ||
          (one instanceof EventTermsService && one.kind === resource),
      );
      found.set(recordTypeOf(resource), { resource, ...(reader && { reader }) });
    }
    return found;
  }
}

/** Null for a record that anonymous callers may not see, or that is gone; other errors are thrown. */
function unlessHidden(error: unknown): null {
  if (error instanceof RestException && error.getStatus() < 500) return null;
  throw error;
}
