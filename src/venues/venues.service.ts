import { Injectable } from '@nestjs/common';
import { LinkedPostWriter } from '../linked-posts/linked-post-writer.js';
import { LinkedPostsService } from '../linked-posts/linked-posts.service.js';
import { PostResourceTools } from '../resources/post-resource-tools.js';
import type { VenueJson } from './venue.response.js';
import { VENUE } from './venue-type.js';

/** Lists, reads and writes venues. */
@Injectable()
export class VenuesService extends LinkedPostsService<'venues', VenueJson> {
  constructor(tools: PostResourceTools, linkedPosts: LinkedPostWriter) {
    super(VENUE, tools, linkedPosts);
  }
}
