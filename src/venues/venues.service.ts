import { Injectable } from '@nestjs/common';
import type { Answer } from '../http/answer.js';
import type { RequestContext } from '../http/request-context.js';
import type { GetLinkedPostQuery } from '../linked-posts/linked-post.dto.js';
import { LinkedPostChangesService } from '../linked-posts/linked-post-changes.service.js';
import { LinkedPostsService } from '../linked-posts/linked-posts.service.js';
import type { ListVenuesQuery } from './venue.dto.js';
import { toVenueResponse } from './venue.response.js';
import { VENUE } from './venue-type.js';
import type { CreateVenueDto, UpdateVenueBySlugDto, UpdateVenueDto } from './venue-write.dto.js';

/** Lists, reads and writes venues. */
@Injectable()
export class VenuesService {
  constructor(
    private readonly linkedPosts: LinkedPostsService,
    private readonly changes: LinkedPostChangesService,
  ) {}

  list(query: ListVenuesQuery, context: RequestContext): Promise<Answer> {
    return this.linkedPosts.list(VENUE, toVenueResponse, query, context);
  }

  get(id: number, query: GetLinkedPostQuery, context: RequestContext): Promise<Answer> {
    return this.linkedPosts.get(VENUE, toVenueResponse, id, query, context);
  }

  getBySlug(slug: string, query: GetLinkedPostQuery, context: RequestContext): Promise<Answer> {
    return this.linkedPosts.getBySlug(VENUE, toVenueResponse, slug, query, context);
  }

  create(fields: CreateVenueDto, context: RequestContext): Promise<Answer> {
    return this.changes.create(VENUE, toVenueResponse, fields, context);
  }

  update(id: number, fields: UpdateVenueDto, context: RequestContext): Promise<Answer> {
    return this.changes.update(VENUE, toVenueResponse, id, fields, context);
  }

  updateBySlug(slug: string, fields: UpdateVenueBySlugDto, context: RequestContext): Promise<Answer> {
    return this.changes.updateBySlug(VENUE, toVenueResponse, slug, fields, context);
  }

  remove(id: number, context: RequestContext): Promise<Answer> {
    return this.changes.remove(VENUE, toVenueResponse, id, context);
  }

  removeBySlug(slug: string, context: RequestContext): Promise<Answer> {
    return this.changes.removeBySlug(VENUE, toVenueResponse, slug, context);
  }
}
