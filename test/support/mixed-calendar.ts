import { toStoredUtc } from '../../src/lib/wordpress-text/dates/convert.js';
import type { SeededRandom } from './unusual-values.js';

/** The frozen time of these servers. */
export const NOW = '2091-03-01T10:00:00Z';

/** The values that events share. */
export const FACTS = {
  venues: [5000, 5001, 5002, 5003],
  organizers: [6000, 6001, 6002],
  /** The second one is below the first. */
  categories: [901, 902, 903],
  tags: [911, 912, 913],
  statuses: ['publish', 'draft', 'private', 'trash', 'pending', 'future'],
  words: ['amber', 'birch', 'cedar', 'delta'],
  from: Date.UTC(2091, 1, 1),
  days: 90,
};

/** A row of `tec_occurrences`. */
export interface MixedDate {
  row: number;
  start: string;
  end: string;
  startUtc: string;
  endUtc: string;
}

/** An event with its rows. */
export interface MixedEvent {
  id: number;
  slug: string;
  title: string;
  text: string;
  status: string;
  password: string;
  parent: number;
  posted: string;
  modified: string;
  isFeatured: boolean;
  isHidden: boolean;
  venues: number[];
  organizers: number[];
  terms: number[];
  dates: MixedDate[];
}

type Ask = (text: string) => Promise<unknown>;

/** Replaces the events of a site by 160 with none, one or several dates, as programs and people may have left them. */
export async function makeMixedCalendar(ask: Ask, dice: SeededRandom, count = 160): Promise<MixedEvent[]> {
  const chance = (sides: number) => dice.roll(sides) === 0;
  const stamp = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
  const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'UTC', 'Australia/Lord_Howe'];
  const events: MixedEvent[] = [];
  let row = 400;
  for (let at = 0; at < count; at++) {
    const id = chance(8) ? 11_000_400 + at : 20_000 + ((at * 37) % 1000);
    const zone = dice.pick(zones);
    const times = chance(2) ? 1 : chance(12) ? 0 : chance(6) ? 30 : 2 + dice.roll(6);
    const isPast = chance(8);
    const dates: MixedDate[] = [];
    const from =
      (isPast ? Date.UTC(2005, 2, 1) : FACTS.from) +
      dice.roll(60) * 86_400_000 +
      dice.roll(8) * 3 * 3_600_000 +
      (chance(4) ? 1_800_000 : 0);
    for (let time = 0; time < times; time++) {
      row += 1 + dice.roll(3);
      const previous = dates.at(-1);
      const start =
        previous && chance(10)
          ? previous.start
          : stamp(from + (chance(5) ? dice.roll(5) : time) * 86_400_000 * 7 + (chance(6) ? 7_200_000 : 0));
      const end =
        previous && start === previous.start
          ? previous.end
          : stamp(
              Date.parse(`${start.replace(' ', 'T')}Z`) + dice.roll(5) * 3_600_000 * (chance(10) ? 24 : 1),
            );
      dates.push({ row, start, end, startUtc: toStoredUtc(start, zone), endUtc: toStoredUtc(end, zone) });
    }
    events.push({
      id,
      slug: `event-${at}`,
      title: dice.some(1 + dice.roll(2), FACTS.words).join(' '),
      text: dice.some(dice.roll(3), FACTS.words).join(' '),
      status: chance(4) ? dice.pick(FACTS.statuses) : 'publish',
      password: chance(12) ? 'open' : '',
      parent: chance(10) && events.length > 0 ? dice.pick(events).id : 0,
      posted: stamp(Date.UTC(2090, 0, 1) + dice.roll(6) * 86_400_000),
      modified: stamp(Date.UTC(2090, 1, 1) + dice.roll(6) * 86_400_000),
      isFeatured: chance(5),
      isHidden: chance(12),
      venues: chance(2) ? dice.some(chance(6) ? 2 : 1, FACTS.venues) : [],
      organizers: chance(2) ? dice.some(1 + dice.roll(2), FACTS.organizers) : [],
      terms: [...dice.some(dice.roll(3), FACTS.categories), ...dice.some(dice.roll(3), FACTS.tags)],
      dates,
    });
  }
  for (const table of ['tec_occurrences', 'tec_events']) await ask(`DELETE FROM wp_${table}`);
  await ask(`DELETE FROM wp_posts WHERE post_type = 'tribe_events'`);
  const insert = async (table: string, columns: string, rows: readonly string[]) => {
    for (let first = 0; first < rows.length; first += 100)
      await ask(`INSERT INTO wp_${table} (${columns}) VALUES ${rows.slice(first, first + 100).join(', ')}`);
  };
  const posts =
    'ID, post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, post_status, post_password, post_name, to_ping, pinged, post_modified, post_modified_gmt, post_content_filtered, post_type, post_parent, menu_order';
  const linked = (id: number, type: string) =>
    `(${id}, 1, '2090-01-01 10:00:00', '2090-01-01 15:00:00', '', 'Linked ${id}', '', 'publish', '', 'linked-${id}', '', '', '2090-01-01 10:00:00', '2090-01-01 15:00:00', '', '${type}', 0, 0)`;
  await insert('posts', posts, [
    ...FACTS.venues.map((id) => linked(id, 'tribe_venue')),
    ...FACTS.organizers.map((id) => linked(id, 'tribe_organizer')),
    ...events.map(
      (event) =>
        `(${event.id}, 1, '${event.posted}', '${event.posted}', '${event.text}', '${event.title}', '', '${event.status}', '${event.password}', '${event.slug}', '', '', '${event.modified}', '${event.modified}', '', 'tribe_events', ${event.parent}, ${event.id % 9 === 0 ? -1 : 0})`,
    ),
  ]);
  await insert('postmeta', 'post_id, meta_key, meta_value', [
    ...events.flatMap(({ id, dates: [first], ...event }) =>
      [
        ...event.venues.map((venue) => ['_EventVenueID', venue]),
        ...event.organizers.map((organizer) => ['_EventOrganizerID', organizer]),
        ...(event.isFeatured ? [['_tribe_featured', '1']] : []),
        ...(event.isHidden ? [['_EventHideFromUpcoming', 'yes']] : []),
        ...(first
          ? [
              ['_EventStartDate', first.start],
              ['_EventEndDate', first.end],
              ['_EventStartDateUTC', first.startUtc],
              ['_EventEndDateUTC', first.endUtc],
              ['_EventTimezone', 'Europe/Berlin'],
            ]
          : []),
      ].map(([key, value]) => `(${id}, '${key}', '${value}')`),
    ),
  ]);
  const terms = [...FACTS.categories, ...FACTS.tags];
  await insert(
    'terms',
    'term_id, name, slug',
    terms.map((id) => `(${id}, 'Term ${id}', 'term-${id}')`),
  );
  await insert(
    'term_taxonomy',
    'term_taxonomy_id, term_id, taxonomy, description, parent, count',
    terms.map(
      (id) =>
        `(${id}, ${id}, '${FACTS.tags.includes(id) ? 'post_tag' : 'tribe_events_cat'}', '', ${id === 902 ? 901 : 0}, 5)`,
    ),
  );
  await insert(
    'term_relationships',
    'object_id, term_taxonomy_id',
    events.flatMap(({ id, terms: own }) => own.map((term) => `(${id}, ${term})`)),
  );
  await insert(
    'tec_occurrences',
    'occurrence_id, event_id, post_id, start_date, end_date, start_date_utc, end_date_utc, hash',
    dice.some(
      Number.MAX_SAFE_INTEGER,
      events.flatMap(({ id, dates }) =>
        dates.map(
          (date) =>
            `(${date.row}, ${id}, ${id}, '${date.start}', '${date.end}', '${date.startUtc}', '${date.endUtc}', 'mixed-${date.row}')`,
        ),
      ),
    ),
  );
  return events;
}
