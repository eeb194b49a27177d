import { Injectable } from '@nestjs/common';
import type { Answer } from '../http/answer.js';
import type { RequestContext } from '../http/request-context.js';
import type { GetLinkedPostQuery } from '../linked-posts/linked-post.dto.js';
import { LinkedPostsService } from '../linked-posts/linked-posts.service.js';
import type { ListOrganizersQuery } from './organizer.dto.js';
import { toOrganizerResponse } from './organizer.response.js';
import { ORGANIZER } from './organizer-type.js';

/** Lists and reads organizers. */
@Injectable()
export class OrganizersService {
  constructor(private readonly linkedPosts: LinkedPostsService) {}

  list(query: ListOrganizersQuery, context: RequestContext): Promise<Answer> {
    return this.linkedPosts.list(ORGANIZER, toOrganizerResponse, query, context);
  }

  get(id: number, query: GetLinkedPostQuery, context: RequestContext): Promise<Answer> {
    return this.linkedPosts.get(ORGANIZER, toOrganizerResponse, id, query, context);
  }

  getBySlug(slug: string, query: GetLinkedPostQuery, context: RequestContext): Promise<Answer> {
    return this.linkedPosts.getBySlug(ORGANIZER, toOrganizerResponse, slug, query, context);
  }
}
