import { Injectable } from '@nestjs/common';
import { Hooks } from '../common/hooks/hooks.js';
import { TableVersions } from '../database/table-versions.service.js';
import { RequestContexts } from '../http/request-contexts.service.js';
import { restUrl } from '../http/rest-request.js';
import { untrashedSlug } from '../lib/wordpress-text/formatting/unique-slug.js';
import { recordTypeOf } from '../resources/base/declared-field.js';
import { RecordReaders } from '../resources/base/record-readers.service.js';
import type { Resource } from '../resources/base/resource.js';
import { Resources } from '../resources/base/resources.js';
import { queryHook } from '../wordpress/posts/post-visibility.js';
import type { Delivery } from './delivery.entity.js';
import { GAP, TEST } from './message-types.js';

/** The body of a request to a webhook (docs/webhooks.md#messages). */
export interface Message {
  type: string;
  /** When the change was journaled, as ISO 8601. */
  timestamp: string;
  data: Readonly<Record<string, unknown>>;
}

/** Makes messages, with records as anonymous callers see them at the time of the attempt. */
@Injectable()
export class MessageRecords {
  constructor(
    private readonly resources: Resources,
    private readonly readers: RecordReaders,
    private readonly contexts: RequestContexts,
    private readonly hooks: Hooks,
    private readonly tables: TableVersions,
  ) {}

  async toMessage(delivery: Delivery): Promise<Message> {
    const { type, recordType, changedAt } = delivery;
    const message = { type, timestamp: new Date(changedAt).toISOString() };
    const { webhookId: webhook, recordId: missed } = delivery;
    if (type === TEST) return { ...message, data: { webhook } };
    if (type === GAP) return { ...message, data: { webhook, missed } };
    const resource = this.resourceOf(recordType);
    if (!resource) throw new Error(`no resource has the records of ${recordType}`);
    return { ...message, data: await this.dataOf(delivery, resource) };
  }

  /** The resource of a post type or taxonomy. */
  resourceOf(recordType: string): Resource | undefined {
    return this.resources.all().find((resource) => recordTypeOf(resource) === recordType);
  }

  private async dataOf({ type, recordType, recordId: id, slug, modified }: Delivery, resource: Resource) {
    // Caches may be a second old, and older than the change.
    await this.tables.renew();
    const context = await this.contexts.anonymous();
    const found = await this.readers.of(resource)?.readMany([id], context);
    const record = found?.get(id) ?? null;
    const [, change = ''] = type.split('.');
    const isGone = change === 'trashed' || change === 'deleted';
    // A slug tells the title of a record that is private by now, or that a plugin has always hidden.
    const isNamed = record || (isGone && !this.hooks.has(queryHook(recordType)));
    return {
      id,
      type: resource.path,
      change,
      slug: isNamed && slug !== '' ? untrashedSlug(slug) : null,
      modified: modified || null,
      rest_url: restUrl(context.base, `/${resource.path}/${id}`),
      record,
    };
  }
}
