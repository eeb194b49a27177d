import { Injectable } from '@nestjs/common';
import type { Answer } from '../http/answer.js';
import type { RequestContext } from '../http/request-context.js';
import type { GetLinkedPostQuery } from '../linked-posts/linked-post.dto.js';
import { LinkedPostChangesService } from '../linked-posts/linked-post-changes.service.js';
import { LinkedPostsService } from '../linked-posts/linked-posts.service.js';
import type { ListOrganizersQuery } from './organizer.dto.js';
import { toOrganizerResponse } from './organizer.response.js';
import { ORGANIZER } from './organizer-type.js';
import type {
  CreateOrganizerDto,
  UpdateOrganizerBySlugDto,
  UpdateOrganizerDto,
} from './organizer-write.dto.js';

/** Lists, reads and writes organizers. */
@Injectable()
export class OrganizersService {
  constructor(
    private readonly linkedPosts: LinkedPostsService,
    private readonly changes: LinkedPostChangesService,
  ) {}

  list(query: ListOrganizersQuery, context: RequestContext): Promise<Answer> {
    return this.linkedPosts.list(ORGANIZER, toOrganizerResponse, query, context);
  }

  get(id: number, query: GetLinkedPostQuery, context: RequestContext): Promise<Answer> {
    return this.linkedPosts.get(ORGANIZER, toOrganizerResponse, id, query, context);
  }

  getBySlug(slug: string, query: GetLinkedPostQuery, context: RequestContext): Promise<Answer> {
    return this.linkedPosts.getBySlug(ORGANIZER, toOrganizerResponse, slug, query, context);
  }

  create(fields: CreateOrganizerDto, context: RequestContext): Promise<Answer> {
    return this.changes.create(ORGANIZER, toOrganizerResponse, fields, context);
  }

  update(id: number, fields: UpdateOrganizerDto, context: RequestContext): Promise<Answer> {
    return this.changes.update(ORGANIZER, toOrganizerResponse, id, fields, context);
  }

  updateBySlug(slug: string, fields: UpdateOrganizerBySlugDto, context: RequestContext): Promise<Answer> {
    return this.changes.updateBySlug(ORGANIZER, toOrganizerResponse, slug, fields, context);
  }

  remove(id: number, context: RequestContext): Promise<Answer> {
    return this.changes.remove(ORGANIZER, toOrganizerResponse, id, context);
  }

  removeBySlug(slug: string, context: RequestContext): Promise<Answer> {
    return this.changes.removeBySlug(ORGANIZER, toOrganizerResponse, slug, context);
  }
}
