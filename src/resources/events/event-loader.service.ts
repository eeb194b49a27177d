import { Injectable } from '@nestjs/common';
import { PostTermsService, type CarriedTermsJson } from '../terms/post-terms.service.js';
import type { RequestContext } from '../../http/request-context.js';
import type { LinkedPostType } from '../linked-posts/linked-post-type.js';
import { ORGANIZER } from '../organizers/organizer-type.js';
import type { LoadedPost } from '../base/resource.js';
import { VENUE } from '../venues/venue-type.js';
import { PostCache } from '../../wordpress/posts/post-cache.service.js';
import { linkedIds } from '../../wordpress/posts/linked-ids.js';
import type { PostRecord, PostRow } from '../../wordpress/posts/post-record.js';
import { PostVisibility } from '../../wordpress/posts/post-visibility.js';
import { PostsService } from '../../wordpress/posts/posts.service.js';
import { EVENT } from './event-type.js';

/** An event with everything that its representation shows. */
export interface LoadedEvent extends LoadedPost {
  terms: CarriedTermsJson;
  /** Linked records that exist and that the reader may see, in row order. */
  venues: readonly PostRecord[];
  organizers: readonly PostRecord[];
}

/** Loads what events are shown with: meta, terms, linked records; one statement each, whatever the number of events. */
@Injectable()
export class EventLoader {
  constructor(
    private readonly posts: PostsService,
    private readonly kept: PostCache,
    private readonly terms: PostTermsService,
    private readonly visibility: PostVisibility,
  ) {}

  /**
   * Bundles in the order of the rows; linked records that the reader may not see are left out (R2). `isFresh`: terms and linked
   * records that are known are read all the same.
   */
  async load(rows: readonly PostRow[], context: RequestContext, isFresh: boolean): Promise<LoadedEvent[]> {
    const ids = rows.map(({ id }) => id);
    const [stored, termsOf] = await Promise.all([
      this.posts.withMeta(rows),
      this.terms.of(ids, EVENT.taxonomies, context, isFresh),
    ]);
    // The plugin shows nothing of what an event holds that nobody has saved yet.
    const events = stored.map((post) => (post.status === 'auto-draft' ? { ...post, meta: new Map() } : post));
    const links = events.flatMap((event) => EVENT.linked.flatMap(({ linkKey }) => linkedIds(event, linkKey)));
    const linked = await (isFresh ? this.posts : this.kept).load([...new Set(links)]);
    const readable = linked.filter((post) => context.access.mayRead(post));
    const visible = await this.visibility.of(readable, context);
    const shown = new Map(visible.map((post) => [post.id, post]));
    const linkedTo = (event: PostRecord, { type, linkKey }: LinkedPostType) =>
      linkedIds(event, linkKey).flatMap((id) => {
        const post = shown.get(id);
        return post?.type === type ? [post] : [];
      });
    return events.map((post) => ({
      post,
      terms: termsOf(post.id),
      venues: linkedTo(post, VENUE),
      organizers: linkedTo(post, ORGANIZER),
    }));
  }
}
