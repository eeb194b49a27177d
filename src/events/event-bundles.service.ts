import { Injectable } from '@nestjs/common';
import type { Access } from '../auth/access.js';
import { linkedIds } from '../wordpress/posts/linked-ids.js';
import type { PostRecord } from '../wordpress/posts/post-record.js';
import type { PostRow } from '../wordpress/posts/post-rows.js';
import { PostsService } from '../wordpress/posts/posts.service.js';
import { TermsService } from '../wordpress/terms/terms.service.js';
import type { EventBundle } from './event.response.js';

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
      this.terms.ofPosts(ids, ['tribe_events_cat', 'post_tag']),
    ]);
    const events = rows.map((row): PostRecord => ({ ...row, meta: meta.get(row.id) ?? new Map() }));
    const links = events.map((event) => ({
      venues: linkedIds(event, '_EventVenueID'),
      organizers: linkedIds(event, '_EventOrganizerID'),
    }));
    const linked = await this.posts.load([...new Set(links.flatMap((l) => [...l.venues, ...l.organizers]))]);
    const readable = new Map(linked.filter((post) => access.mayRead(post)).map((post) => [post.id, post]));
    const of = (type: string, wanted: number[]) =>
      wanted.flatMap((id) => {
        const post = readable.get(id);
        return post?.type === type ? [post] : [];
      });
    return events.map((post, at) => ({
      post,
      terms: terms.get(post.id) ?? [],
      venues: of('tribe_venue', links[at]?.venues ?? []),
      organizers: of('tribe_organizer', links[at]?.organizers ?? []),
    }));
  }
}

/** Every record of the bundles, in the order in which their texts are rendered. */
export function recordsOf(bundles: readonly EventBundle[]): PostRecord[] {
  return bundles.flatMap(({ post, venues, organizers }) => [post, ...venues, ...organizers]);
}
