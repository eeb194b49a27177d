import { DataSource } from 'typeorm';
import { readEnvironment } from '../src/config/env.js';
import { dataSourceOptions } from '../src/database/data-source-options.js';
import { type Ask, brokenRows } from './support/invariants.js';
import { makeSite, type Site } from './support/sites.js';

/** Damage of an interrupted or careless write, and its report; event 53 is intact as recorded. */
const DAMAGE: [statement: string, message: RegExp][] = [
  ["DELETE FROM wp_postmeta WHERE post_id = 53 AND meta_key = '_EventEndDate'", /0 rows of _EventEndDate/],
  ['DELETE FROM wp_tec_events WHERE post_id = 53', /event 53: 0 rows in tec_events/],
  ['DELETE FROM wp_tec_occurrences WHERE post_id = 53', /event 53: 0 occurrences/],
  ["UPDATE wp_tec_events SET end_date = '2090-11-03 02:16:00' WHERE post_id = 53", /53: end_date 2090-11-03/],
  ["UPDATE wp_tec_events SET timezone = 'UTC' WHERE post_id = 53", /53: zone UTC/],
  ['UPDATE wp_tec_events SET duration = 1 WHERE post_id = 53', /53: duration 1 instead of 432000/],
  ["UPDATE wp_tec_occurrences SET hash = 'x' WHERE post_id = 53", /53: wrong hash/],
  [
    "UPDATE wp_postmeta SET meta_value = '1' WHERE post_id = 53 AND meta_key = '_EventVenueID'",
    /names 1, no/,
  ],
  ["UPDATE wp_posts SET post_name = 'opening-night' WHERE ID = 54", /the slug opening-night is taken twice/],
  ["UPDATE wp_posts SET post_name = '' WHERE ID = 53", /53 \(publish\): no slug/],
  ["UPDATE wp_posts SET post_status = 'trash' WHERE ID = 53", /53 \(trash\): no status to return to/],
  ["UPDATE wp_posts SET post_status = 'draft' WHERE ID = 53", /tribe_events_cat 10: counts 11, has 10/],
  ['UPDATE wp_term_taxonomy SET count = 0 WHERE term_id = 2', /tribe_events_cat 2: counts 0, has 19/],
  ["UPDATE wp_terms SET slug = 'music' WHERE term_id = 3", /the slug tribe_events_cat music is taken twice/],
  ['DELETE FROM wp_term_taxonomy WHERE term_id = 2', /no parent 2/],
  ['DELETE FROM wp_terms WHERE term_id = 2', /taxonomy row 2 of no term/],
  ['DELETE FROM wp_posts WHERE ID = 53', /tec_events 1 of no event/],
  ['INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (1, 2)', /relation of post 1/],
  [
    "UPDATE wp_posts SET post_status = 'draft' WHERE post_type = 'tribe_events'",
    /earliest_date .+, not undef/,
  ],
];

describe('brokenRows', () => {
  let site: Site;
  let source: DataSource;
  const ask: Ask = (sql) => source.query(sql);

  beforeAll(async () => {
    site = await makeSite('SQLite');
    source = await new DataSource(
      dataSourceOptions(readEnvironment({ DATABASE_URL: site.url })),
    ).initialize();
  });
  afterAll(async () => {
    await source?.destroy();
    await site?.drop();
  });

  it.each(DAMAGE)('reports %s', async (statement, message) => {
    const before = await brokenRows(ask);
    await source.query('BEGIN');
    await source.query(statement);
    const found = (await brokenRows(ask)).filter((line) => !before.includes(line));
    await source.query('ROLLBACK');
    expect(found).toContainEqual(expect.stringMatching(message));
  });
});
