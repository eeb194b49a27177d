import { metresBetween } from '../../src/resources/venues/venue-places.service.js';
import { CROWD, crowd } from '../support/large-calendar.js';
import { describeDatabases } from '../support/sites.js';
import { SeededRandom } from '../support/unusual-values.js';
import { openWriteFixture, type WriteFixture } from '../support/write-fixture.js';

const WALKS = process.env['ALMANAC_LONG_TESTS'] === '1' ? 200 : 40;
const EVENTS = 240;
const DAY = 86_400_000;
const PAGE = { from: 1, to: 60 };

interface Row {
  id: number;
  value: string | number;
  /** Of an occurrence: its event and its row. */
  event?: number;
  row?: number;
}

describeDatabases('lists in any order, read by cursors', (database) => {
  const dice = new SeededRandom(7);
  const places = new Map<number, { latitude: number; longitude: number }>();
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await openWriteFixture(database, async (ask) => {
      await crowd(ask, EVENTS);
      await ask(`DELETE FROM wp_postmeta WHERE meta_key IN ('_VenueLat', '_VenueLng')`);
      // Titles that tie but for letter case, and venues all around the date line.
      await ask(`UPDATE wp_posts SET post_title = 'Same' WHERE ID >= 100000 AND ID % 5 = 0`);
      await ask(`UPDATE wp_posts SET post_title = 'SAME' WHERE ID >= 100000 AND ID % 15 = 0`);
      for (const [at, id] of CROWD.venues.entries()) {
        const place = { latitude: at * 8 - 40, longitude: ((at * 37 + 160) % 360) - 180 };
        if (at % 4 !== 3) places.set(id, place);
        await ask(`INSERT INTO wp_posts (ID, post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt,
          post_status, post_name, to_ping, pinged, post_modified, post_modified_gmt, post_content_filtered, post_type)
          VALUES (${id}, 1, '2090-01-0${1 + (at % 3)} 10:00:00', '2090-01-01 10:00:00', '', 'Hall ${at % 5}', '', 'publish',
          'hall-${id}', '', '', '2090-01-0${1 + (at % 2)} 10:00:00', '2090-01-01 10:00:00', '', 'tribe_venue')`);
        if (places.has(id))
          await ask(`INSERT INTO wp_postmeta (post_id, meta_key, meta_value)
            VALUES (${id}, '_VenueLat', '${place.latitude}'), (${id}, '_VenueLng', '${place.longitude}')`);
      }
    });
  });
  afterAll(async () => fixture?.close());

  /** The ids of all pages, each as long as it may be, and what is wrong with what they say of themselves. */
  const walk = async (path: string): Promise<number[]> => {
    const ids: number[] = [];
    const [name = ''] = path.slice(1).split('?');
    for (let cursor: unknown = '*'; cursor !== null; ) {
      const size = PAGE.from + dice.roll(PAGE.to);
      const { status, body } = await fixture.send(
        'anonymous',
        'GET',
        `${path}&per_page=${size}&cursor=${cursor}`,
      );
      const listed = body[name] as { id: number }[];
      if (status !== 200 || (body['next_cursor'] !== null && listed.length !== Math.min(size, 50)))
        throw new Error(`${path} ${JSON.stringify(body).slice(0, 500)}`);
      ids.push(...listed.map(({ id }) => id));
      cursor = body['next_cursor'];
    }
    return ids;
  };

  /** The same as a naive look finds it: everything, sorted here. */
  const sorted = (rows: readonly Row[], direction: string): number[] => {
    const sign = direction === 'asc' ? 1 : -1;
    const byId = (a: Row, b: Row) =>
      (a.event ?? a.id) - (b.event ?? b.id) || Number(a.row ?? 0) - Number(b.row ?? 0);
    const compare = (a: Row, b: Row) => (a.value < b.value ? -sign : a.value > b.value ? sign : byId(a, b));
    return rows.toSorted(compare).map(({ id }) => id);
  };

  const around = () => {
    const from = { latitude: dice.roll(181) - 90, longitude: dice.roll(361) - 180 };
    const kilometres = 1000 + dice.roll(19_000);
    const near = [...places].flatMap(([id, place]) => {
      const metres = metresBetween(from, place);
      return metres <= kilometres * 1000 ? [[id, metres] as const] : [];
    });
    const path = `geoloc_lat=${from.latitude}&geoloc_lng=${from.longitude}&geoloc_radius=${kilometres}`;
    return { path, near: new Map(near) };
  };

  const randomEvents = async () => {
    const [first, last] = [dice.roll(40), 50 + dice.roll(60)].map((day) =>
      new Date(CROWD.from + day * DAY).toISOString().slice(0, 10),
    );
    const order = dice.pick(['asc', 'desc']);
    const look = dice.roll(3) === 0 ? around() : undefined;
    const orders = ['start_date', 'end_date', 'title', 'date', 'modified', 'id'];
    const by = dice.pick(look ? [...orders, 'distance'] : orders);
    const venue = dice.roll(4) === 0 ? dice.pick(CROWD.venues) : undefined;
    const values: Record<string, string> = {
      start_date: 'o.start_date',
      end_date: 'o.end_date',
      title: 'DENSE_RANK() OVER (ORDER BY SUBSTR(LOWER(p.post_title), 1, 100))',
      date: 'p.post_date',
      modified: 'p.post_modified',
    };
    const at = (ids: readonly number[]) =>
      `AND p.ID IN (SELECT post_id FROM wp_postmeta WHERE meta_key = '_EventVenueID' AND meta_value IN ('${ids.join("','")}'))`;
    const rows =
      (await fixture.ask(`SELECT p.ID AS event, o.occurrence_id AS id, ${values[by] ?? 'p.ID'} AS value,
        (SELECT COUNT(*) FROM wp_tec_occurrences r WHERE r.post_id = p.ID) AS dates
      FROM wp_posts p JOIN wp_tec_occurrences o ON o.post_id = p.ID
      WHERE p.post_type = 'tribe_events' AND p.post_status = 'publish'
        AND o.start_date >= '${first} 00:00:00' AND o.end_date <= '${last} 23:59:59'
        AND p.ID NOT IN (SELECT post_id FROM wp_postmeta WHERE meta_key = '_EventHideFromUpcoming')
        ${look ? at([...look.near.keys()]) : ''} ${venue ? at([venue]) : ''}`)) as unknown as (Row & {
        event: number;
        dates: number;
      })[];
    const numbers = rows.map(({ id, event, value, dates }) => ({
      id: Number(dates) > 1 ? 10_000_000 + Number(id) : Number(event),
      event: Number(event),
      row: Number(id),
      value: by === 'id' ? Number(event) : value,
    }));
    const links = (await fixture.ask(
      `SELECT post_id AS id, meta_value AS venue FROM wp_postmeta WHERE meta_key = '_EventVenueID'`,
    )) as { id: number; venue: string }[];
    const nearest = (id: number) =>
      Math.min(
        ...links
          .filter((link) => Number(link.id) === id)
          .map(({ venue: one }) => look?.near.get(Number(one)) ?? Number.POSITIVE_INFINITY),
      );
    const found = by === 'distance' ? numbers.map((row) => ({ ...row, value: nearest(row.event) })) : numbers;
    const path = `/events?start_date=${first}&end_date=${last}&orderby=${by}&order=${order}${look ? `&${look.path}` : ''}${venue ? `&venue=${venue}` : ''}`;
    return { path, wanted: sorted(found, order) };
  };

  it('show each date of an event once, in the order of a sort in memory', async () => {
    const failures = [];
    let most = 0;
    for (let count = 0; count < WALKS; count++) {
      const { path, wanted } = await randomEvents();
      const got = await walk(path);
      most = Math.max(most, got.length);
      if (JSON.stringify(got) !== JSON.stringify(wanted)) failures.push({ path, got, wanted });
    }
    expect(failures).toEqual([]);
    expect(most).toBeGreaterThan(EVENTS / 3);
  });

  it('show each venue once, in the order of a sort in memory', async () => {
    const failures = [];
    const all = (await fixture.ask(
      `SELECT ID AS id, DENSE_RANK() OVER (ORDER BY CASE WHEN post_password = '' THEN SUBSTR(LOWER(post_title), 1, 100) ELSE '' END) AS title, post_date AS date, post_modified AS modified FROM wp_posts WHERE post_type = 'tribe_venue' AND post_status = 'publish'`,
    )) as Record<string, string | number>[];
    for (let count = 0; count < WALKS; count++) {
      const order = dice.pick(['asc', 'desc']);
      const look = dice.roll(2) === 0 ? around() : undefined;
      const orders = ['title', 'date', 'modified', 'id'];
      const by = dice.pick(look ? [...orders, 'distance'] : orders);
      const rows = all.map((row) => ({ ...row, id: Number(row['id']) }) as Row & Record<string, string>);
      const found = rows
        .filter(({ id }) => look?.near.has(id) ?? true)
        .map((row) => ({
          id: row.id,
          value: by === 'id' ? row.id : by === 'distance' ? (look?.near.get(row.id) ?? 0) : (row[by] ?? ''),
        }));
      const path = `/venues?orderby=${by}&order=${order}${look ? `&${look.path}` : ''}`;
      const [got, wanted] = [await walk(path), sorted(found, order)];
      if (JSON.stringify(got) !== JSON.stringify(wanted)) failures.push({ path, got, wanted });
    }
    expect(failures).toEqual([]);
  });
});
