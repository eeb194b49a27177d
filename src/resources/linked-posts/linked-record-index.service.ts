import { Injectable } from '@nestjs/common';
import { VersionedCache } from '../../cache/versioned-cache.js';
import { Database } from '../../database/database.js';
import { TableVersions } from '../../database/table-versions.service.js';
import type { RequestContext } from '../../http/request-context.js';
import { formatWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import type { ListLinkedPostsQuery } from './linked-post.dto.js';
import { allLinks, type Links, linkedRecords, upcomingLinks } from './linked-post.query.js';
import type { LinkedPostType } from './linked-post-type.js';

/** Of more records SQL looks at the links itself. */
const MAX_COUNT = 20_000;

/** Records that events link to, each with the last start of these in UTC where that is asked; undefined where there are too many. */
type Linked = ReadonlyMap<number, string> | undefined;

/**
 * Which venues and organizers events link to, as nobody in particular sees them: of large calendars that takes as long as all metas of
 * a key, and is looked up once until something changes (docs/behaviour/caching.md#venues-and-organizers-of-events).
 */
@Injectable()
export class LinkedRecordIndex {
  private readonly kept = new Map<string, VersionedCache<Linked>>();

  constructor(
    private readonly database: Database,
    private readonly changes: TableVersions,
  ) {}

  /** The ids that the filters of a list leave: of those linked, and of those with upcoming events. What has to be left to SQL is missing. */
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
    const now = starts && context.time.atSecond(formatWallClock).value;
    const later = now === undefined ? undefined : [...(starts ?? [])].filter(([, start]) => start >= now);
    return {
      ...(linked && { linked: [...linked.keys()] }),
      ...(later && { upcoming: later.map(([id]) => id) }),
    };
  }

  private find(which: string, kind: LinkedPostType, links: () => Links): Promise<Linked> {
    const name = `${which} ${kind.type}`;
    const version = async () => (await this.changes.current())?.of('posts', 'postmeta', 'tec_occurrences');
    const read = async () => {
      const rows = await this.database.query<{ id: number | string; start: string | null }>(
        linkedRecords(this.database, kind, links(), MAX_COUNT + 1),
      );
      if (rows.length > MAX_COUNT) return undefined;
      return new Map(rows.map(({ id, start }) => [Number(id), start ?? '']));
    };
    const known = this.kept.get(name) ?? new VersionedCache<Linked>(version, read);
    this.kept.set(name, known);
    return known.get();
  }
}
