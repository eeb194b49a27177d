import { Injectable } from '@nestjs/common';
import { PostResourceDeps } from '../base/post-resource-deps.js';
import { LinkedPostWriter } from '../linked-posts/linked-post-writer.js';
import { LinkedPostsService } from '../linked-posts/linked-posts.service.js';
import { LinkedRecordIndex } from '../linked-posts/linked-record-index.service.js';
import type { OrganizerJson } from './organizer.response.js';
import { ORGANIZER } from './organizer-type.js';

/** Lists, reads and writes organizers. */
@Injectable()
export class OrganizersService extends LinkedPostsService<'organizers', OrganizerJson> {
  constructor(tools: PostResourceDeps, linkedPosts: LinkedPostWriter, withEvents: LinkedRecordIndex) {
    super(ORGANIZER, tools, linkedPosts, withEvents);
  }
}
