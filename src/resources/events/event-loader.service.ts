import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../http/request-context.js';
import {
  linkedIds,
  type PostEntry,
  type PostRecord,
  type PostRow,
} from '../../wordpress/posts/post-record.js';
import { PostVisibility } from '../../wordpress/posts/post-visibility.js';
import { PostsService } from '../../wordpress/posts/posts.service.js';
import type { RecordLoader, RecordSource } from '../base/resource.js';
import type { LinkedPostType } from '../linked-posts/linked-post-type.js';
import { ORGANIZER } from '../organizers/organizer-type.js';
import { PostTermsService } from '../terms/post-terms.service.js';
import { VENUE } from '../venues/venue-type.js';
import type { LoadedEvent } from './event.response.js';
import { EVENT } from './event-type.js';
import { type Occurrence, Occurrences } from './occurrences.service.js';

/** Loads the meta, terms and linked records of events with one statement each, whatever the number of events. */
@Injectable()
export class EventLoader implements RecordLoader<LoadedEvent> {
  constructor(
    private readonly posts: PostsService,
    private readonly terms: PostTermsService,
    private readonly visibility: PostVisibility,
    private readonly occurrences: Occurrences,
  ) {}

  /** Returns events in the order of the rows, those with an `entry` as that occurrence, without linked records that the reader may not see (R2). */
  async load(
    rows: readonly PostRow[],
    context: RequestContext,
    source: RecordSource,
  ): Promise<LoadedEvent[]> {
    const ids = [...new Set(rows.map(({ id }) => id))];
    const [stored, termsOf, dates] = await Promise.all([
      this.posts.withMeta(rows),
      this.terms.of(ids, EVENT.taxonomies, context, source),
      this.occurrences.find(rows.flatMap(({ entry }) => entry?.row ?? [])),
    ]);
    // The plugin shows no meta of an event that was never saved.
    const events = stored
      .map((post) => (post.status === 'auto-draft' ? { ...post, meta: new Map() } : post))
      .flatMap((post) => (post.entry ? withOwnDates(post, post.entry, dates.get(post.entry.row)) : post));
    const links = events.flatMap((event) => EVENT.linked.flatMap(({ linkKey }) => linkedIds(event, linkKey)));
    const linked = await source.posts.load([...new Set(links)]);
    const readable = linked.filter((post) => context.access.mayRead(post));
    const visible = await this.visibility.of(readable, context);
    const visibleById = new Map(visible.map((post) => [post.id, post]));
    const linkedTo = (event: PostRecord, { type, linkKey }: LinkedPostType) =>
      linkedIds(event, linkKey).flatMap((id) => {
        const post = visibleById.get(id);
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

/** An event as one of its occurrences: with that one's dates and address; none where the row is gone. */
function withOwnDates(post: PostRecord, entry: PostEntry, occurrence: Occurrence | undefined): PostRecord[] {
  if (!occurrence) return [];
  const { start, end, startUtc, endUtc, earlier } = occurrence;
  const meta = new Map(post.meta)
    .set('_EventStartDate', [start])
    .set('_EventEndDate', [end])
    .set('_EventStartDateUTC', [startUtc])
    .set('_EventEndDateUTC', [endUtc]);
  const address = {
    eventDate: start.slice(0, 10),
    ...(earlier > 0 && { eventSequence: String(earlier + 1) }),
  };
  return [{ ...post, meta, entry: { ...entry, address } }];
}
