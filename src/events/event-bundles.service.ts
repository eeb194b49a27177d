import { Injectable } from '@nestjs/common';
import type { Access } from '../auth/access.js';
import type { LinkedPostType } from '../linked-posts/linked-post-type.js';
import { ORGANIZER } from '../organizers/organizer-type.js';
import { VENUE } from '../venues/venue-type.js';
import { linkedIds } from '../wordpress/posts/linked-ids.js';
import type { PostRecord, PostRow } from '../wordpress/posts/post-record.js';
import { PostsService } from '../wordpress/posts/posts.service.js';
import { TermsService } from '../wordpress/terms/terms.service.js';
import type { EventBundle } from './event.response.js';
import { EVENT } from './event-type.js';

/** Loads what events are shown with: meta, terms, linked records; one statement each, whatever the number of events. */
@Injectable()
export class EventBundlesService {
  constructor(
    private readonly posts: PostsService,
    private readonly terms: TermsService,
  ) {}

  /** Bundles in the order of the rows; linked records that the reader may not see are left out (R2). */
  async load(rows: readonly PostRow[], access: Access): Promise<EventBundle[]> {
    const ids = rows.map(({ id }) => id);
    const [meta, terms] = await Promise.all([
      this.posts.meta(ids),
      this.terms.ofPosts(
        ids,
        EVENT.taxonomies.map(({ taxonomy }) => taxonomy),
      ),
    ]);
    const events = rows.map((row): PostRecord => ({ ...row, meta: meta.get(row.id) ?? new Map() }));
    const links = events.flatMap((event) => EVENT.linked.flatMap(({ linkKey }) => linkedIds(event, linkKey)));
    const linked = await this.posts.load([...new Set(links)]);
    const readable = new Map(linked.filter((post) => access.mayRead(post)).map((post) => [post.id, post]));
    const linkedTo = (event: PostRecord, { type, linkKey }: LinkedPostType) =>
      linkedIds(event, linkKey).flatMap((id) => {
        const post = readable.get(id);
        return post?.type === type ? [post] : [];
      });
    return events.map((post) => ({
      post,
      terms: terms.get(post.id) ?? [],
      venues: linkedTo(post, VENUE),
      organizers: linkedTo(post, ORGANIZER),
    }));
  }
}

/** Every record of the bundles, in the order in which their texts are rendered. */
export function recordsOf(bundles: readonly EventBundle[]): PostRecord[] {
  return bundles.flatMap(({ post, venues, organizers }) => [post, ...venues, ...organizers]);
}
