import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import type { RequestContext } from '../../http/request-context.js';
import type { Orders } from '../base/list-additions.js';
import type { ListQuery } from '../base/list-query.js';
import { PostResourceDeps } from '../base/post-resource-deps.js';
import { LinkedPostWriter } from '../linked-posts/linked-post-writer.js';
import { LinkedPostsService } from '../linked-posts/linked-posts.service.js';
import { LinkedRecordIndex } from '../linked-posts/linked-record-index.service.js';
import type { ListVenuesQuery } from './venue.dto.js';
import type { VenueJson } from './venue.response.js';
import { distanceKey, VenuePlaces } from './venue-places.service.js';
import { VENUE } from './venue-type.js';

/** Lists, reads and writes venues. */
@Injectable()
export class VenuesService extends LinkedPostsService<'venues', VenueJson> {
  constructor(
    tools: PostResourceDeps,
    linkedPosts: LinkedPostWriter,
    withEvents: LinkedRecordIndex,
    private readonly places: VenuePlaces,
  ) {
    super(VENUE, tools, linkedPosts, withEvents);
  }

  protected override async query(query: ListVenuesQuery, context: RequestContext): Promise<ListQuery> {
    const list = await super.query(query, context);
    const places = await this.places.of(query, context);
    if (!places) return list;
    const { ids, metres } = places;
    list.list.include(ids);
    if (!metres) return list;
    const orders = (): Orders =>
      query.orderby === 'distance'
        ? { distance: { key: distanceKey(sql`p.ID`, metres), valueType: 'number' } }
        : {};
    return { ...list, orders, distanceOf: (json) => metres.get((json as VenueJson).id) };
  }
}
