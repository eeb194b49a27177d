import sql, { join, type Sql } from 'sql-template-tag';
import { DataSource } from 'typeorm';
import { indexes } from '../../src/cli/indexes.js';
import { readEnvironment } from '../../src/config/env.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { Database } from '../../src/database/database.js';
import { Replicas } from '../../src/database/replicas.js';
import type { RequestContext } from '../../src/http/request-context.js';
import { RequestTime } from '../../src/http/request-time.js';
import { formatWallClock } from '../../src/lib/wordpress-text/dates/wall-clock.js';
import type { ListEventsQuery } from '../../src/resources/events/event.dto.js';
import { type EventWindow, eventQuery } from '../../src/resources/events/event.query.js';
import type { ListLinkedPostsQuery } from '../../src/resources/linked-posts/linked-post.dto.js';
import { linkedPostQuery } from '../../src/resources/linked-posts/linked-post.query.js';
import { VENUE } from '../../src/resources/venues/venue-type.js';
import { Post } from '../../src/wordpress/posts/post.entity.js';
import type { PostQuery } from '../../src/wordpress/posts/post-query.js';
import { entryId } from '../../src/wordpress/posts/post-record.js';
import { containing, inList } from '../../src/wordpress/posts/post-rows.js';
import { describeDatabases, makeSite, SITE_A, SITE_D, type Site } from '../support/sites.js';

const NOW = Date.parse('2091-03-01T10:00:00Z');
const LISTS = 500;
const BASE = 10_000_000;
const STATUSES = ['publish', 'draft', 'private', 'future', 'pending', 'trash'];
const WORDS = ['e', 'music', 'MUSIC', 'café', 'cafe', '12', 'zzz', 'a-b', '%', 'ß', 'jazz'];

/** Numbers that are the same in each run. */
function randomOf(seed: number) {
  let state = seed;
  const below = (count: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  const one = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  return { below, one, chance: (share: number) => below(1000) < share * 1000 };
}

const stamp = (day: number, hour = 0) => formatWallClock(Date.UTC(2091, 0, 1 + day, hour) / 1000);

describeDatabases('the SQL of lists', (kind) => {
  describe.each([
    ['a', SITE_A],
    ['d', SITE_D],
  ])('site %s', (name, dump) => {
    const { below, one, chance } = randomOf(name.charCodeAt(0));
    let site: Site;
    let source: DataSource;
    let database: Database;
    const ids: Record<'tribe_events' | 'tribe_venue' | 'tribe_organizer' | 'terms', number[]> = {
      tribe_events: [],
      tribe_venue: [],
      tribe_organizer: [],
      terms: [],
    };

    const insert = (table: string, columns: string, rows: readonly (string | number)[][]) =>
      database.query(
        sql`INSERT INTO ${database.table(table)} (${join(columns.split(' ').map((column) => database.column(column)))})
            VALUES ${join(rows.map((row) => sql`(${join(row)})`))}`,
      );

    /** Events that tie in every way, some with several occurrences, which are listed one by one, hidden, unpublished or under a password. */
    const addEvents = async () => {
      const [post, meta, terms, occurrences] = [[], [], [], []] as (string | number)[][][];
      for (let id = 900_001; id <= 900_700; id++) {
        const text = `${one(WORDS)} ${one(WORDS)}`;
        const published = stamp(below(3) - 20);
        const status = chance(0.8) ? 'publish' : one(STATUSES);
        const row = [
          id,
          1 + below(3),
          published,
          published,
          published,
          published,
          text,
          one(WORDS),
          `${one(WORDS)}!`,
        ];
        post?.push([
          ...row,
          status,
          'tribe_events',
          chance(0.05) ? 'secret' : '',
          '',
          '',
          '',
          chance(0.05) ? 53 : 0,
        ]);
        if (chance(0.1)) meta?.push([id, '_EventHideFromUpcoming', 'yes']);
        if (chance(0.1)) meta?.push([id, '_tribe_featured', '1']);
        if (chance(0.7)) meta?.push([id, '_EventVenueID', String(one(ids.tribe_venue))]);
        if (chance(0.7)) meta?.push([id, '_EventOrganizerID', String(one(ids.tribe_organizer))]);
        for (const term of new Set([one(ids.terms), one(ids.terms)])) terms?.push([id, term]);
        for (let count = chance(0.2) ? 1 + below(4) : 1; count > 0; count--) {
          const [start, end] = [below(12), below(5)];
          const dates = [stamp(start), stamp(start, 5), stamp(start + end, 1), stamp(start + end, 6)];
          occurrences?.push([id, id, ...dates, `${id}-${count}`]);
        }
      }
      const postColumns =
        'ID post_author post_date post_date_gmt post_modified post_modified_gmt post_title post_excerpt post_content post_status post_type post_password to_ping pinged post_content_filtered post_parent';
      await insert('posts', postColumns, post ?? []);
      await insert('postmeta', 'post_id meta_key meta_value', meta ?? []);
      await insert('term_relationships', 'object_id term_taxonomy_id', terms ?? []);
      const dates = 'event_id post_id start_date start_date_utc end_date end_date_utc hash';
      await insert('tec_occurrences', dates, occurrences ?? []);
    };

    beforeAll(async () => {
      site = await makeSite(kind, dump);
      const env = readEnvironment({ DATABASE_URL: site.url });
      source = await new DataSource({ ...dataSourceOptions(env), entities: [Post] }).initialize();
      database = new Database(source, new Replicas(source, env));
      for (const type of ['tribe_events', 'tribe_venue', 'tribe_organizer'] as const)
        ids[type] = (
          await database.query<{ id: number }>(
            sql`SELECT ID AS id FROM ${database.table('posts')} WHERE post_type = ${type} ORDER BY ID`,
          )
        ).map(({ id }) => id);
      const terms = sql`SELECT DISTINCT term_taxonomy_id AS id FROM ${database.table('term_relationships')} ORDER BY id`;
      ids.terms = (await database.query<{ id: number }>(terms)).map(({ id }) => id);
      await addEvents();
      // With the further indexes on one of the sites: other ways through the tables, the same lists.
      if (kind !== 'SQLite' && name === 'd') await indexes({ env, change: 'apply', say: () => undefined });
    });
    afterAll(async () => {
      await source?.destroy();
      await site?.drop();
    });

    const getContext = (timezoneMode: 'event' | 'site', statuses: readonly string[], signedIn: boolean) =>
      ({
        access: {
          signedIn,
          visibility: () => ({ anyAuthor: { only: statuses } }),
          editable: () => ({ anyAuthor: { only: signedIn ? STATUSES : [] } }),
          types: { statuses: new Map(STATUSES.map((status) => [status, {}])) },
        },
        settings: {
          timezoneMode,
          zone: 'Europe/Berlin',
          dayCutoff: '00:00',
          render: { locale: '' },
          occurrenceBase: BASE,
        },
        time: new RequestTime(NOW),
      }) as unknown as RequestContext;

    /** What is wrong with a page and its total, compared with the ids of all that match, in their order. */
    const wrong = async (list: PostQuery, requested: { page: number; per_page: number }, naive: Sql) => {
      const all = (await database.query<{ id: number }>(naive)).map(({ id }) => id);
      const [rows, total] = await Promise.all([list.rows(), list.total()]);
      const from = (requested.page - 1) * requested.per_page;
      const got = JSON.stringify([total, rows.map(entryId)]);
      const wanted = JSON.stringify([all.length, all.slice(from, from + requested.per_page)]);
      return got === wanted ? [] : [{ requested: JSON.stringify(requested), got, wanted }];
    };

    const hasMeta = (key: string, values?: readonly string[]) =>
      sql`p.ID IN (SELECT post_id FROM ${database.table('postmeta')} WHERE meta_key = ${key}
        AND ${values ? inList(sql`meta_value`, values) : sql`1 = 1`})`;

    const randomEvents = () => {
      const some = (share: number, ...items: number[][]) =>
        chance(share) ? { ids: items.flatMap((list) => [one(list), one(list)]) } : undefined;
      const statuses = chance(0.7) ? ['publish'] : [one(STATUSES), one(STATUSES)];
      const query = {
        page: 1 + (chance(0.5) ? 0 : below(chance(0.5) ? 4 : 40)),
        per_page: one([1, 2, 3, 10, 50]),
        include: some(0.1, ids.tribe_events, [900_003, 900_555]),
        venue: some(0.1, ids.tribe_venue),
        organizer: some(0.1, ids.tribe_organizer),
        categories: chance(0.2) ? [one(ids.terms), one(ids.terms)] : undefined,
        tags: chance(0.1) ? [one(ids.terms)] : undefined,
        featured: chance(0.2) ? chance(0.5) : undefined,
        search: chance(0.2) ? one(WORDS) : undefined,
        post_parent: chance(0.05) ? 53 : undefined,
        status: statuses.length > 1 ? statuses : undefined,
      };
      const window: EventWindow = {
        ...(chance(0.7) && { start_date: stamp(below(22) - 10) }),
        ...(chance(0.5) && { end_date: stamp(below(30)) }),
        ...(chance(0.1) && { starts_before: stamp(below(14)) }),
        ...(chance(0.1) && { ends_after: stamp(below(14)) }),
      };
      return { query, window, statuses };
    };

    it('name more records than SQLite takes parameters', async () => {
      const many = Array.from({ length: 40_000 }, (_, at) => at);
      const texts = many.map(String);
      const column = (value: string | number) => sql`(SELECT ${value} AS one)`;
      const both = sql`SELECT ${"it's ?"} AS text, one FROM ${column(7)} x
        WHERE ${inList(sql`one`, many)} AND ${inList(sql`${'39999'}`, texts)} AND ${'a?'} = ${'a?'}`;
      expect(await database.query(both)).toEqual([{ text: "it's ?", one: 7 }]);
    });

    it('find the events that filtering in memory finds', async () => {
      const failures = [];
      for (let count = 0; count < LISTS; count++) {
        const { query, window, statuses } = randomEvents();
        const [mode, signedIn] = [one(['event', 'site'] as const), chance(0.3)];
        const context = getContext(mode, statuses, signedIn);
        // The window of the site's clock, which is an hour ahead of UTC in winter.
        const shifted = (wall: string) =>
          mode === 'event' ? wall : formatWallClock(Date.parse(`${wall.replace(' ', 'T')}Z`) / 1000 - 3600);
        const [start, end] =
          mode === 'event'
            ? [sql`o.start_date`, sql`o.end_date`]
            : [sql`o.start_date_utc`, sql`o.end_date_utc`];
        const dates = query.include
          ? []
          : [
              window.start_date && sql`${start} >= ${shifted(window.start_date)}`,
              window.end_date && sql`${end} <= ${shifted(window.end_date)}`,
              window.starts_before && sql`${start} < ${shifted(window.starts_before)}`,
              window.ends_after && sql`${end} > ${shifted(window.ends_after)}`,
            ].filter((one) => typeof one === 'object');
        const occurrences = database.table('tec_occurrences');
        const carries = (terms: readonly number[]) =>
          sql`p.ID IN (SELECT object_id FROM ${database.table('term_relationships')} WHERE ${inList(sql`term_taxonomy_id`, terms)})`;
        const like = sql`LIKE ${containing(query.search ?? '')} ESCAPE '|'`;
        const found = signedIn
          ? sql`(p.post_title ${like} OR p.post_excerpt ${like} OR p.post_content ${like})`
          : sql`p.post_password = '' AND (p.post_title ${like} OR p.post_excerpt ${like} OR p.post_content ${like})`;
        const conditions = [
          sql`p.post_type = 'tribe_events'`,
          inList(sql`p.post_status`, statuses),
          sql`NOT ${hasMeta('_EventHideFromUpcoming')}`,
          ...dates,
          query.include && inList(sql`p.ID`, query.include.ids),
          query.include &&
            sql`o.occurrence_id = (SELECT r.occurrence_id FROM ${occurrences} r WHERE r.post_id = p.ID ORDER BY r.start_date_utc DESC, r.occurrence_id DESC LIMIT 1)`,
          query.venue && hasMeta('_EventVenueID', query.venue.ids.map(String)),
          query.organizer && hasMeta('_EventOrganizerID', query.organizer.ids.map(String)),
          query.categories && carries(query.categories),
          query.tags && carries(query.tags),
          query.featured === true && hasMeta('_tribe_featured'),
          query.featured === false && sql`NOT ${hasMeta('_tribe_featured')}`,
          query.search !== undefined && found,
          query.post_parent !== undefined && sql`p.post_parent = ${query.post_parent}`,
        ].filter((one) => typeof one === 'object');
        // What a plugin leaves may be little of what is there.
        const plugged = chance(0.4) ? sql`p.ID % ${one([2, 9, 23])} = 0` : undefined;
        if (plugged) conditions.push(plugged);
        const order = mode === 'event' ? sql`o.start_date` : sql`o.start_date_utc`;
        const first = query.include ? [] : [order];
        const several = sql`p.ID IN (SELECT post_id FROM ${occurrences} GROUP BY post_id HAVING COUNT(*) > 1)`;
        const naive = sql`SELECT CASE WHEN ${several} THEN ${BASE} + o.occurrence_id ELSE p.ID END AS id
          FROM ${database.table('posts')} p JOIN ${occurrences} o ON o.post_id = p.ID WHERE ${join(conditions, ' AND ')}
          ORDER BY ${join([...first, sql`p.post_date`, sql`p.ID`, sql`o.occurrence_id`])}`;
        const list = eventQuery(database, query as unknown as ListEventsQuery, window, context);
        if (plugged) list.where(plugged);
        failures.push(...(await wrong(list, { ...query, ...window }, naive)));
      }
      expect(failures).toEqual([]);
    });

    it('find the venues that filtering in memory finds', async () => {
      const failures = [];
      const [posts, meta] = [database.table('posts'), database.table('postmeta')];
      for (let count = 0; count < LISTS / 5; count++) {
        const requested = {
          page: 1 + below(4),
          per_page: one([1, 3, 10]),
          has_events: one([undefined, undefined, '1', '0']),
          only_with_upcoming: chance(0.3),
          event: chance(0.2) ? 900_001 + below(700) : undefined,
        };
        const linked = (further: Sql) =>
          sql`p.ID IN (SELECT CAST(m.meta_value AS UNSIGNED) FROM ${meta} m JOIN ${posts} e ON e.ID = m.post_id
            WHERE m.meta_key = '_EventVenueID' AND e.post_type = 'tribe_events' AND e.post_status = 'publish' AND ${further})`;
        const upcoming = sql`e.ID NOT IN (SELECT post_id FROM ${meta} WHERE meta_key = '_EventHideFromUpcoming')
          AND e.ID IN (SELECT post_id FROM ${database.table('tec_occurrences')} WHERE start_date_utc >= ${formatWallClock(NOW / 1000)})`;
        const conditions = [
          sql`p.post_type = 'tribe_venue' AND p.post_status = 'publish'`,
          requested.has_events === '1' && linked(sql`1 = 1`),
          requested.has_events === '0' && sql`NOT ${linked(sql`1 = 1`)}`,
          requested.only_with_upcoming && linked(upcoming),
          requested.event &&
            sql`p.ID IN (SELECT CAST(meta_value AS UNSIGNED) FROM ${meta}
            WHERE meta_key = '_EventVenueID' AND post_id = ${requested.event})`,
        ].filter((one) => typeof one === 'object');
        const naive = sql`SELECT p.ID AS id FROM ${posts} p WHERE ${join(conditions, ' AND ')} ORDER BY p.post_date DESC, p.ID`;
        const query = requested as unknown as ListLinkedPostsQuery;
        const list = linkedPostQuery(database, VENUE, query, getContext('event', ['publish'], false));
        failures.push(...(await wrong(list, requested, naive)));
      }
      expect(failures).toEqual([]);
    });
  });
});
