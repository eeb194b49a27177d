import { Injectable } from '@nestjs/common';
import { LinkedPostWriter } from '../linked-posts/linked-post-writer.js';
import { LinkedPostsService } from '../linked-posts/linked-posts.service.js';
import { PostResourceTools } from '../resources/post-resource-tools.js';
import type { OrganizerJson } from './organizer.response.js';
import { ORGANIZER } from './organizer-type.js';

/** Lists, reads and writes organizers. */
@Injectable()
export class OrganizersService extends LinkedPostsService<'organizers', OrganizerJson> {
  constructor(tools: PostResourceTools, linkedPosts: LinkedPostWriter) {
    super(ORGANIZER, tools, linkedPosts);
  }
}
