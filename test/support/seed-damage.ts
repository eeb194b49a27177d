import { type DatabaseName, SERVER_NAME } from './sites.js';

/** Damage to the recorded site, once its dead links are out. */
interface DatabaseFixture {
  damage: string;
  only?: DatabaseName;
  plant: readonly string[];
  /** All findings that follow, as `name: count`. */
  finds: readonly string[];
  /** What mends it; absent where a person must. */
  kind?: string;
  /** What a fix cannot take back of the plant: part of a row that it leaves. */
  leaves?: string;
  /** Takes back what no fix does; options are put back anyway. */
  undo?: readonly string[];
}

const meta = (post: number, key: string, value: string) =>
  `UPDATE wp_postmeta SET meta_value = '${value}' WHERE post_id = ${post} AND meta_key = '${key}'`;
const option = (name: string, value: string) =>
  `UPDATE wp_options SET option_value = '${value}' WHERE option_name = '${name}'`;
const within = (name: string, before: string, after: string) =>
  `UPDATE wp_options SET option_value = REPLACE(option_value, '${before}', '${after}') WHERE option_name = '${name}'`;
const role = (user: number, value: string) =>
  `UPDATE wp_usermeta SET meta_value = '${value}' WHERE user_id = ${user} AND meta_key = 'wp_capabilities'`;
const both = (statement: (table: string) => string) => ['tec_events', 'tec_occurrences'].map(statement);

/** One of each kind and name that the doctor knows. */
export const DAMAGES: readonly DatabaseFixture[] = [
  {
    damage: 'events without occurrences',
    plant: [
      'DELETE FROM wp_tec_occurrences WHERE post_id IN (53, 54)',
      'DELETE FROM wp_tec_events WHERE post_id IN (54, 55)',
    ],
    finds: ['occurrences-missing: 3'],
    kind: 'occurrences',
  },
  {
    damage: 'a calendar that was never migrated',
    plant: both((table) => `DELETE FROM wp_${table}`),
    finds: ['occurrences-none: 150'],
    kind: 'occurrences',
  },
  {
    damage: 'rows that say something else than the meta',
    plant: [
      "UPDATE wp_tec_occurrences SET start_date_utc = '2030-01-01 00:00:00' WHERE post_id = 53",
      'UPDATE wp_tec_events SET duration = 1 WHERE post_id = 54',
      "UPDATE wp_tec_events SET timezone = 'Asia/Seoul' WHERE post_id = 55",
      "UPDATE wp_tec_occurrences SET hash = 'x' WHERE post_id = 56",
      'UPDATE wp_tec_occurrences SET event_id = 1 WHERE post_id = 57',
    ],
    finds: ['occurrences-stale: 5'],
    kind: 'occurrences',
  },
  {
    damage: 'rows of an event that is gone',
    plant: [
      "INSERT INTO wp_tec_events (event_id, post_id, start_date, start_date_utc, hash) VALUES (900001, 900001, '2030-01-01 00:00:00', '2030-01-01 00:00:00', '')",
      "INSERT INTO wp_tec_occurrences (occurrence_id, event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, hash) VALUES (900001, 900001, 900001, '2030-01-01 00:00:00', '2030-01-01 00:00:00', '2030-01-01 00:00:00', '2030-01-01 00:00:00', 'x')",
    ],
    finds: ['occurrences-orphaned: 1'],
    kind: 'occurrences',
  },
  {
    damage: 'a second occurrence of an event that does not repeat',
    plant: [
      "INSERT INTO wp_tec_occurrences (occurrence_id, event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, hash) VALUES (900001, 2, 54, '2030-01-01 00:00:00', '2030-01-01 00:00:00', '2030-01-01 00:00:00', '2030-01-01 00:00:00', 'x')",
    ],
    finds: ['occurrences-several: 1', 'recurrence-events: 1'],
    undo: ['DELETE FROM wp_tec_occurrences WHERE occurrence_id = 900001'],
  },
  {
    damage: 'nothing in the dates of a series, which are those of the premium add-on',
    plant: [
      "INSERT INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) VALUES (900001, 54, '_EventRecurrence', 'a:0:{}')",
      "INSERT INTO wp_tec_occurrences (occurrence_id, event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, hash) VALUES (900001, 2, 54, '2030-01-01 00:00:00', '2030-01-01 00:00:00', '2030-01-01 00:00:00', '2030-01-01 00:00:00', 'x')",
    ],
    finds: ['recurrence-events: 1'],
    undo: [
      'DELETE FROM wp_tec_occurrences WHERE occurrence_id = 900001',
      'DELETE FROM wp_postmeta WHERE meta_id = 900001',
    ],
  },
  {
    damage: 'a series of which one date is left',
    plant: [
      `INSERT INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) VALUES (900001, 54, '_EventRecurrence', 'a:1:{s:5:"rules";a:1:{i:0;a:1:{s:4:"type";s:4:"Date";}}}')`,
    ],
    finds: ['recurrence-flattened: 1'],
    undo: ['DELETE FROM wp_postmeta WHERE meta_id = 900001'],
  },
  {
    damage: 'an event with a rule of Almanac that PHP has saved as a single one',
    plant: [
      "INSERT INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) VALUES (900001, 54, '_almanac_recurrence', 'RRULE:FREQ=WEEKLY;COUNT=4')",
      "DELETE FROM wp_options WHERE option_name = 'cron'",
    ],
    finds: ['series-flattened: 1', 'series-written: 1'],
    kind: 'series',
  },
  {
    damage: 'an event whose rule leaves out one of several dates that PHP has removed',
    plant: [
      "INSERT INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) VALUES (900001, 54, '_almanac_recurrence', 'RRULE:FREQ=DAILY;COUNT=4\nEXDATE;VALUE=DATE:20210806')",
      "DELETE FROM wp_options WHERE option_name = 'cron'",
    ],
    finds: ['series-flattened: 1', 'series-written: 1'],
    kind: 'series',
  },
  {
    damage: 'an event whose rule has one date left, or as many as were stored when more were due',
    plant: [
      "INSERT INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) VALUES (900001, 54, '_almanac_recurrence', 'RRULE:FREQ=DAILY;COUNT=2\nEXDATE;VALUE=DATE:20210806')",
      "INSERT INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) VALUES (900002, 55, '_almanac_recurrence', 'RRULE:FREQ=YEARLY;INTERVAL=30')",
      "INSERT INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) VALUES (900003, 55, '_almanac_recurrence_until', '2028-01-01 00:00:00')",
      "DELETE FROM wp_options WHERE option_name = 'cron'",
    ],
    finds: ['series-written: 2'],
    undo: ['DELETE FROM wp_postmeta WHERE meta_id IN (900001, 900002, 900003)'],
  },
  {
    damage: 'a record among the ids of dates',
    plant: [
      "INSERT INTO wp_tec_occurrences (occurrence_id, event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, hash) VALUES (900001, 2, 54, '2030-01-01 00:00:00', '2030-01-01 00:00:00', '2030-01-01 00:00:00', '2030-01-01 00:00:00', 'x')",
      "INSERT INTO wp_posts (ID, post_type, post_status, post_title, post_content, post_excerpt, to_ping, pinged, post_content_filtered) VALUES (10000001, 'page', 'publish', 'Far', '', '', '', '', '')",
    ],
    finds: ['occurrences-several: 1', 'recurrence-events: 1', 'recurrence-ids: 1'],
    undo: [
      'DELETE FROM wp_tec_occurrences WHERE occurrence_id = 900001',
      'DELETE FROM wp_posts WHERE ID = 10000001',
    ],
  },
  {
    damage: 'times in UTC that are not those of the zone, or none',
    plant: [meta(54, '_EventStartDateUTC', '2021-08-05 08:45:00'), meta(55, '_EventEndDateUTC', '')],
    finds: ['dates-utc: 2'],
    kind: 'dates',
  },
  {
    damage: 'times in UTC that are wrong in meta and tables alike',
    plant: [
      meta(54, '_EventStartDateUTC', '2021-08-05 08:45:00'),
      meta(54, '_EventEndDateUTC', '2021-08-05 09:45:00'),
      ...both(
        (table) =>
          `UPDATE wp_${table} SET start_date_utc = '2021-08-05 08:45:00', end_date_utc = '2021-08-05 09:45:00' WHERE post_id = 54`,
      ),
    ],
    finds: ['dates-utc: 1'],
    kind: 'dates',
  },
  {
    damage: 'times in UTC that are wrong of an event that the tables do not hold',
    plant: [
      meta(54, '_EventStartDateUTC', '2021-08-05 08:45:00'),
      ...both((table) => `DELETE FROM wp_${table} WHERE post_id = 54`),
    ],
    finds: ['occurrences-missing: 1', 'dates-utc: 1'],
    kind: 'dates',
  },
  {
    damage: 'a calendar that was never migrated, of events without times in UTC',
    plant: [
      ...both((table) => `DELETE FROM wp_${table}`),
      "UPDATE wp_postmeta SET meta_value = '' WHERE meta_key IN ('_EventStartDateUTC', '_EventEndDateUTC')",
    ],
    finds: ['occurrences-none: 150', 'dates-utc: 150'],
    kind: 'dates',
  },
  {
    damage: 'a start that is no date',
    plant: [meta(54, '_EventStartDate', '2021-02-30 08:45:00')],
    finds: ['dates-unreadable: 1'],
    undo: [meta(54, '_EventStartDate', '2021-08-05 08:45:00')],
  },
  {
    damage: 'an end before the start',
    plant: [meta(54, '_EventEndDate', '2021-08-04 09:45:00')],
    finds: ['dates-reversed: 1'],
    undo: [meta(54, '_EventEndDate', '2021-08-05 09:45:00')],
  },
  {
    damage: 'links to records that are not there, or are of another type',
    plant: [
      `INSERT INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) VALUES
       (900001, 54, '_EventVenueID', '999999'), (900002, 55, '_EventVenueID', '54'), (900003, 55, '_EventVenueID', '0'),
       (900004, 55, '_EventOrganizerID', 'a:2:{i:0;i:999999;i:1;i:40;}')`,
      'DELETE FROM wp_postmeta WHERE meta_id = 900003',
    ],
    finds: ['links-venue: 2', 'links-organizer: 1'],
    kind: 'links',
    leaves: 'a:1:{i:0;i:40;}',
    undo: ['DELETE FROM wp_postmeta WHERE meta_id = 900004'],
  },
  {
    damage: 'relations without a post or a term',
    plant: [
      'INSERT INTO wp_term_relationships (object_id, term_taxonomy_id, term_order) VALUES (999998, 2, 0), (999999, 2, 0), (54, 999999, 0)',
    ],
    finds: ['relations-without-post: 2', 'relations-without-term: 1'],
    kind: 'relations',
  },
  {
    damage: 'meta rows without a post',
    plant: [
      "INSERT INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) VALUES (900001, 999999, '_EventVenueID', '999999'), (900002, 999999, 'b', NULL), (900003, 0, 'c', '')",
    ],
    finds: ['meta-orphaned: 3'],
    kind: 'meta',
  },
  {
    damage: 'counts of terms that are too high or too low',
    plant: [
      'UPDATE wp_term_taxonomy SET count = count + 5 WHERE term_taxonomy_id = 2',
      'UPDATE wp_term_taxonomy SET count = 0 WHERE term_taxonomy_id = 3',
    ],
    finds: ['counts-wrong: 2'],
    kind: 'counts',
  },
  {
    damage: 'a table of the site that is gone',
    plant: ['ALTER TABLE wp_termmeta RENAME TO termmeta_elsewhere'],
    finds: ['tables-site: 1'],
    undo: ['ALTER TABLE termmeta_elsewhere RENAME TO wp_termmeta'],
  },
  {
    damage: 'a slug that two events share',
    plant: ["UPDATE wp_posts SET post_name = 'opening-night' WHERE ID = 54"],
    finds: ['slugs-shared: 1'],
    undo: ["UPDATE wp_posts SET post_name = 'dont-stop-the-music' WHERE ID = 54"],
  },
  {
    damage: 'a scheduled event that nobody published',
    plant: ["UPDATE wp_posts SET post_date_gmt = '2091-02-28 10:00:00' WHERE ID = 83"],
    finds: ['schedule-late: 1'],
    undo: ["UPDATE wp_posts SET post_date_gmt = '2099-01-01 13:00:00' WHERE ID = 83"],
  },
  {
    damage: 'a zone, an address and settings that are none',
    plant: [
      option('timezone_string', 'Mars/Olympus_Mons'),
      option('home', ''),
      option('siteurl', 'example'),
      option('tribe_events_calendar_options', 'a:1:{'),
    ],
    finds: ['settings-zone: 1', 'settings-home: 1', 'settings-calendar: 1'],
  },
  {
    damage: 'a calendar whose interface is switched off',
    plant: [option('tribe_events_calendar_options', 'a:1:{s:16:"rest-v1-disabled";b:1;}')],
    finds: ['settings-rest-off: 1'],
  },
  {
    damage: 'an object cache of WordPress',
    plant: [option('active_plugins', 'a:2:{i:0;s:9:"hello.php";i:1;s:27:"redis-cache/redis-cache.php";}')],
    finds: ['object-cache-plugin: 1'],
  },
  {
    damage: 'a site without roles',
    plant: ["DELETE FROM wp_options WHERE option_name = 'wp_user_roles'"],
    finds: ['roles-none: 1'],
  },
  {
    damage: 'roles that give too little or too much',
    plant: [
      within('wp_user_roles', '"publish_tribe_venues";b:1;', '"publish_tribe_venues";b:0;'),
      within('wp_user_roles', '"level_0";b:1;}', '"manage_options";b:1;}'),
      within('wp_user_roles', 's:7:"manage_options"', 's:14:"manage_options"'),
    ],
    finds: ['roles-lacking: 1', 'roles-powerful: 1'],
  },
  {
    damage: 'users without a role that exists, and nobody who administers',
    plant: [role(1, 'a:1:{s:10:"subscriber";b:1;}'), role(5, 'a:1:{s:8:"customer";b:1;}')],
    finds: ['roles-unknown: 1', 'roles-no-administrator: 1'],
    undo: [role(1, 'a:1:{s:13:"administrator";b:1;}'), role(5, 'a:1:{s:10:"subscriber";b:1;}')],
  },
  {
    damage: 'a user whose role is cut off',
    plant: [role(5, 'a:1:{s:10:"subsc')],
    finds: ['roles-unknown: 1'],
    undo: [role(5, 'a:1:{s:10:"subscriber";b:1;}')],
  },
  {
    damage: 'a table without transactions',
    only: SERVER_NAME,
    plant: ['ALTER TABLE wp_termmeta ENGINE = MyISAM'],
    finds: ['storage-engine: 1'],
    undo: ['ALTER TABLE wp_termmeta ENGINE = InnoDB'],
  },
  {
    damage: 'a table that cannot hold every character',
    only: SERVER_NAME,
    plant: ['ALTER TABLE wp_termmeta CONVERT TO CHARACTER SET latin1'],
    finds: ['storage-characters: 1'],
    undo: ['ALTER TABLE wp_termmeta CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci'],
  },
  {
    damage: 'tables of two collations',
    only: SERVER_NAME,
    plant: ['ALTER TABLE wp_termmeta CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci'],
    finds: ['storage-collations: 2'],
    undo: ['ALTER TABLE wp_termmeta CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci'],
  },
];
