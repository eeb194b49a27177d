import { Injectable } from '@nestjs/common';
import { TableVersions } from '../../database/table-versions.service.js';
import { Database } from '../../database/database.js';
import { VersionedCache } from '../../cache/versioned-cache.js';
import type { RequestContext } from '../../http/request-context.js';
import { formatWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import type { ListLinkedPostsQuery } from './linked-post.dto.js';
import { allLinks, type Links, linkedIdsQuery, upcomingLinks } from './linked-post.query.js';
import type { LinkedPostType } from './linked-post-type.js';

/** For more records, SQL filters by the links itself. */
const MAX_COUNT = 20_000;

/** Linked record ids, each with the last UTC start of its events if requested; undefined if there are too many. */
type LinkedIds = ReadonlyMap<number, string> | undefined;

/**
 * Caches which venues and organizers events link to, for anonymous callers: on large calendars the query reads all meta
 * of a key (docs/behaviour/caching.md#venues-and-organizers-of-events).
 */
@Injectable()
export class LinkedRecordIndex {
  private readonly kept = new Map<string, VersionedCache<LinkedIds>>();

  constructor(
    private readonly database: Database,
    private readonly changes: TableVersions,
  ) {}

  /** The ids that the event filters of a list select; a filter without ids is left to SQL. */
  async of(
    kind: LinkedPostType,
    { has_events: has, only_with_upcoming: upcoming }: ListLinkedPostsQuery,
    context: RequestContext,
  ): Promise<{ linked?: readonly number[]; upcoming?: readonly number[] }> {
    if (context.access.signedIn) return {};
    const [linked, starts] = await Promise.all([
      has === undefined ? undefined : this.find('linked', kind, () => allLinks(context)),
      upcoming ? this.find('upcoming', kind, () => upcomingLinks(this.database)) : undefined,
    ]);
    const now = formatWallClock(Math.floor(context.now / 1000));
    const later = starts && [...starts].filter(([, start]) => start >= now);
    return {
      ...(linked && { linked: [...linked.keys()] }),
      ...(later && { upcoming: later.map(([id]) => id) }),
    };
  }

  private find(which: string, kind: LinkedPostType, links: () => Links): Promise<LinkedIds> {
    const name = `${which} ${kind.type}`;
    const version = async () => (await this.changes.current())?.of('posts', 'postmeta', 'tec_occurrences');
    const read = async () => {
      const rows = await this.database.query<{ id: number | string; start: string | null }>(
        linkedIdsQuery(this.database, kind, links(), MAX_COUNT + 1),
      );
      if (rows.length > MAX_COUNT) return undefined;
      return new Map(rows.map(({ id, start }) => [Number(id), start ?? '']));
    };
    const known = this.kept.get(name) ?? new VersionedCache<LinkedIds>(version, read);
    this.kept.set(name, known);
    return known.get();
  }
}
