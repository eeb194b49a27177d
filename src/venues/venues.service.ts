import { Injectable } from '@nestjs/common';
import type { Answer } from '../http/answer.js';
import type { RequestContext } from '../http/request-context.js';
import type { GetLinkedPostQuery } from '../linked-posts/linked-post.dto.js';
import { LinkedPostsService } from '../linked-posts/linked-posts.service.js';
import type { ListVenuesQuery } from './venue.dto.js';
import { toVenueResponse } from './venue.response.js';
import { VENUE } from './venue-type.js';

/** Lists and reads venues. */
@Injectable()
export class VenuesService {
  constructor(private readonly linkedPosts: LinkedPostsService) {}

  list(query: ListVenuesQuery, context: RequestContext): Promise<Answer> {
    return this.linkedPosts.list(VENUE, toVenueResponse, query, context);
  }

  get(id: number, query: GetLinkedPostQuery, context: RequestContext): Promise<Answer> {
    return this.linkedPosts.get(VENUE, toVenueResponse, id, query, context);
  }

  getBySlug(slug: string, query: GetLinkedPostQuery, context: RequestContext): Promise<Answer> {
    return this.linkedPosts.getBySlug(VENUE, toVenueResponse, slug, query, context);
  }
}
