import { Injectable } from '@nestjs/common';
import { VersionedCache } from '../../cache/versioned-cache.js';
import { Database } from '../../database/database.js';
import { TableVersions } from '../../database/table-versions.service.js';
import type { RequestContext } from '../../http/request-context.js';
import { formatWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import type { ListLinkedPostsQuery } from './linked-post.dto.js';
import { allLinks, type Links, linkedIdsQuery, upcomingLinks } from './linked-post.query.js';
import type { LinkedPostType } from './linked-post-type.js';

/** With more records SQL reads the links of each list. */
const MAX_COUNT = 20_000;
/** LinkedIds and upcoming records of a few types. */
const MAX_SIZE = 16;

/** Records that events link to, each with the last start of its events in UTC if requested; undefined if there are too many. */
type LinkedIds = ReadonlyMap<number, string> | undefined;

/**
 * The venues and organizers that events link to, as anonymous callers see them; cached, as it takes all metas of a key
 * (docs/behaviour/caching.md#versioned-caches).
 */
@Injectable()
export class LinkedRecordIndex {
  private readonly cache = new VersionedCache<string, LinkedIds>({
    tables: ['posts', 'postmeta', 'tec_occurrences'],
    maxSize: MAX_SIZE,
    isSerial: true,
  });

  constructor(
    private readonly database: Database,
    private readonly versions: TableVersions,
  ) {}

  /** The ids that match each filter of a list; a filter that SQL has to apply is missing. */
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

  private async find(which: string, kind: LinkedPostType, links: () => Links): Promise<LinkedIds> {
    const snapshot = await this.versions.snapshot();
    if (!snapshot) return undefined;
    return this.cache.get(`${which} ${kind.type}`, snapshot, async () => {
      const rows = await this.database.query<{ id: number | string; start: string | null }>(
        linkedIdsQuery(this.database, kind, links(), MAX_COUNT + 1),
      );
      if (rows.length > MAX_COUNT) return undefined;
      return new Map(rows.map(({ id, start }) => [Number(id), start ?? '']));
    });
  }
}
