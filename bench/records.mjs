import { createHash } from 'node:crypto';
import { eventDates, stamp } from './event-dates.mjs';
import { description, eventTitle, organizerName, slugOf, venueName } from './texts.mjs';

const DAY = 86_400_000;
const ROWS_PER_INSERT = 1000;
/** Events lie between one year before and two years after the given day. */
export const SPAN = { before: 365, days: 3 * 365 };

const POST =
  'ID, post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, post_status, comment_status, ping_status, post_name, to_ping, pinged, post_modified, post_modified_gmt, post_content_filtered, guid, post_type';
const META = 'post_id, meta_key, meta_value';
const TERM = 'term_id, name, slug';
const TERM_TAXONOMY = 'term_taxonomy_id, term_id, taxonomy, description, parent, count';
const RELATIONSHIP = 'object_id, term_taxonomy_id';
const TEC_EVENT =
  'event_id, post_id, start_date, end_date, timezone, start_date_utc, end_date_utc, duration, hash';
const OCCURRENCE =
  'event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, duration, hash, updated_at';

/** Rows waiting to be inserted, table by table. */
export class Rows {
  waiting = new Map();
  written = Promise.resolve();

  constructor(connection, prefix) {
    this.connection = connection;
    this.prefix = prefix;
  }

  async add(table, columns, row) {
    const rows = this.waiting.get(table) ?? { columns, values: [] };
    this.waiting.set(table, rows);
    rows.values.push(row);
    if (rows.values.length >= ROWS_PER_INSERT) await this.insert(table, rows);
  }

  async flush() {
    for (const [table, rows] of this.waiting) if (rows.values.length > 0) await this.insert(table, rows);
    await this.written;
  }

  /** The rows that come next are made while these are written. */
  async insert(table, rows) {
    const statement = `INSERT INTO ${this.prefix}${table} (${rows.columns}) VALUES ?`;
    await this.written;
    this.written = this.connection.query(statement, [rows.values]);
    rows.values = [];
  }
}

async function addPost(rows, site, type, path, title, content, metas) {
  const id = site.nextPost++;
  const slug = `${slugOf(title)}-${id}`;
  // Published on one of the days before.
  const published = stamp(site.from - (id % 300) * DAY);
  await rows.add('posts', POST, [
    ...[
      id,
      site.author,
      published,
      published,
      content,
      title,
      '',
      'publish',
      'closed',
      'closed',
      slug,
      '',
      '',
    ],
    ...[published, published, '', `${site.home}/${path}/${slug}/`, type],
  ]);
  for (const [key, text] of metas) await rows.add('postmeta', META, [id, key, text]);
  return id;
}

/** A venue with all fields. */
export function addVenue(rows, site, pick, number) {
  const metas = [
    ['_VenueOrigin', 'events-calendar'],
    ['_VenueAddress', `${1 + pick.below(200)} ${pick.one(['Mill Lane', 'Station Road', 'Long Street'])}`],
    ['_VenueCity', pick.one(['Berlin', 'London', 'Boston', 'Portland', 'Tokyo'])],
    ['_VenueCountry', pick.one(['Germany', 'United Kingdom', 'United States', 'Japan'])],
    ['_VenueProvince', ''],
    ['_VenueState', ''],
    ['_VenueZip', String(10_000 + pick.below(89_999))],
    ['_VenuePhone', `+1 555 ${1000 + pick.below(9000)}`],
    ['_VenueURL', `https://venue-${number}.example.org/`],
    ['_VenueStateProvince', ''],
    ['_VenueShowMap', '1'],
    ['_VenueShowMapLink', '1'],
  ];
  return addPost(rows, site, 'tribe_venue', 'venue', venueName(pick, number), description(pick), metas);
}

/** An organizer with all fields. */
export function addOrganizer(rows, site, pick, number) {
  const metas = [
    ['_OrganizerOrigin', 'events-calendar'],
    ['_OrganizerEmail', `desk-${number}@example.org`],
    ['_OrganizerWebsite', `https://organizer-${number}.example.org/`],
    ['_OrganizerPhone', `+1 555 ${1000 + pick.below(9000)}`],
  ];
  return addPost(rows, site, 'tribe_organizer', 'organizer', organizerName(pick, number), '', metas);
}

/** A category or tag. */
export async function addTerm(rows, site, taxonomy, name, parent) {
  const term = { id: site.nextTerm++, taxonomyId: site.nextTaxonomy++ };
  await rows.add('terms', TERM, [term.id, name, `${slugOf(name)}-${term.id}`]);
  await rows.add('term_taxonomy', TERM_TAXONOMY, [
    term.taxonomyId,
    term.id,
    taxonomy,
    '',
    parent?.id ?? 0,
    0,
  ]);
  return term;
}

/** An event with metas, terms and its rows in the calendar's tables. */
/** `weeks`: how many further dates the event has, a week apart in UTC. */
export async function addEvent(rows, site, pick, { venues, organizers, categories, tags }, weeks = 0) {
  const dates = eventDates(pick, { from: site.from, days: SPAN.days });
  const title = eventTitle(pick);
  const id = await addPost(rows, site, 'tribe_events', 'event', title, description(pick), [
    ['_EventOrigin', 'events-calendar'],
    ['_EventShowMapLink', '1'],
    ['_EventShowMap', '1'],
    ['_EventVenueID', String(pick.one(venues))],
    ['_EventOrganizerID', String(pick.one(organizers))],
    ...(dates.allDay ? [['_EventAllDay', 'yes']] : []),
    ['_EventStartDate', dates.start],
    ['_EventEndDate', dates.end],
    ['_EventStartDateUTC', dates.startUtc],
    ['_EventEndDateUTC', dates.endUtc],
    ...(dates.allDay ? [] : [['_EventDuration', String(dates.duration)]]),
    ['_EventCurrencySymbol', '€'],
    ['_EventCurrencyPosition', 'prefix'],
    ['_EventCost', pick.chance(0.3) ? '0' : String(5 * (1 + pick.below(12)))],
    ['_EventURL', pick.chance(0.5) ? `https://example.org/${slugOf(title)}` : ''],
    ...(pick.chance(0.01) ? [['_EventHideFromUpcoming', 'yes']] : []),
    ['_EventTimezone', dates.timezone],
    ['_EventTimezoneAbbr', dates.abbreviation],
    ...(pick.chance(0.05) ? [['_tribe_featured', '1']] : []),
  ]);
  const terms = new Set([pick.one(categories), pick.one(tags), pick.one(tags)]);
  for (const { taxonomyId } of terms) await rows.add('term_relationships', RELATIONSHIP, [id, taxonomyId]);
  const { start, end, startUtc, endUtc, timezone, duration } = dates;
  const event = site.nextEvent++;
  await rows.add('tec_events', TEC_EVENT, [event, id, start, end, timezone, startUtc, endUtc, duration, '']);
  const now = stamp(Date.now());
  for (let week = 0; week <= weeks; week++) {
    const later = (date) => (week === 0 ? date : stamp(Date.parse(`${date}Z`) + week * WEEK));
    const [from, fromUtc, to, toUtc] = [start, startUtc, end, endUtc].map(later);
    const hash = createHash('sha1').update([id, from, to, fromUtc, toUtc, duration].join(':')).digest('hex');
    await rows.add('tec_occurrences', OCCURRENCE, [event, id, from, fromUtc, to, toUtc, duration, hash, now]);
  }
}

const WEEK = 7 * 86_400_000;
