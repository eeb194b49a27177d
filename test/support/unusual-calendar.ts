import type { SeededRandom } from './unusual-values.js';

/** The ids and counts of the unusual rows, beside the recorded ones. */
const FIRST = { events: 900_000, venues: 910_000, organizers: 920_000, terms: 9_000 };
const COUNT = { events: 120, venues: 20, organizers: 20, terms: 10 };

const STATUSES = [
  'publish',
  'publish',
  'draft',
  'pending',
  'private',
  'future',
  'trash',
  'auto-draft',
  'unheard-of',
];
const TEXTS = [
  'alpha',
  'Beta "x" & y -- z',
  '0',
  '',
  'Ünï 🎉 zulu',
  '<!-- wp:paragraph --><p>alpha</p><!-- /wp:paragraph -->',
  '[gallery ids="4"]',
];
/** Dates around changes of the clock, midnights, ends of years and leap days, and far away. */
const DATES = [
  '2091-03-01 10:00:00',
  '2091-03-11 02:30:00',
  '2091-11-04 01:30:00',
  '2090-12-31 23:59:59',
  '2091-03-02 00:00:00',
  '2092-02-29 12:00:00',
  '1969-12-31 23:00:00',
  '9998-12-31 23:00:00',
  '0000-00-00 00:00:00',
];
const ENDS = [
  '2091-03-01 23:59:59',
  '2091-03-11 03:30:00',
  '2092-03-01 00:00:00',
  '9999-01-01 00:00:00',
  '0000-00-00 00:00:00',
];
const COSTS = ['0', '', '10', '10-20', '1,000.00', 'Free', '€ 5', '1.234,56', 'abc'];
const LINKS = ['0', '', '999999', '53', 'a:1:{i:0;i:910001;}', '910002abc'];
const FLAGS = [
  '_tribe_featured',
  '_EventHideFromUpcoming',
  '_EventAllDay',
  '_EventShowMap',
  '_EventCost',
  '_thumbnail_id',
  '_EventURL',
];

/** Random rows, random changes by other programs, and random requests. */
export class UnusualCalendar {
  private number = 0;

  constructor(private readonly dice: SeededRandom) {}

  /** The rows, as statements for both databases. */
  rows(): string[] {
    const { dice } = this;
    const ids = (kind: keyof typeof FIRST) =>
      Array.from({ length: COUNT[kind] }, (_, at) => FIRST[kind] + at);
    const terms = ids('terms').flatMap((id, at) => [
      `INSERT INTO wp_terms (term_id, name, slug) VALUES (${id}, 'Odd ${dice.pick(['a', 'A', 'é'])}', 'odd-${at % 8}')`,
      `INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description, parent, count)
       VALUES (${id}, ${id}, '${at < 6 ? 'tribe_events_cat' : 'post_tag'}', '', ${at > 0 && at < 6 ? id - 1 : 0}, ${dice.roll(2)})`,
    ]);
    return [
      ...terms,
      ...ids('venues').flatMap((id) => [this.post(id, 'tribe_venue'), this.meta(id, '_VenueCity', 'alpha')]),
      ...ids('organizers').flatMap((id) => [
        this.post(id, 'tribe_organizer'),
        this.meta(id, '_OrganizerEmail', 'a@b.test'),
      ]),
      ...ids('events').flatMap((id) => [
        this.post(id, 'tribe_events'),
        ...Array.from({ length: dice.roll(3) }, () => this.occurrence(id)),
        ...['_EventStartDate', '_EventEndDate'].map((key) => this.meta(id, key, dice.pick(DATES))),
        ...Array.from({ length: dice.roll(6) }, () => this.detail(id)),
        this.carries(id),
      ]),
    ];
  }

  /** A random change. */
  change(): string {
    const { dice } = this;
    const post = this.id(dice.pick(['events', 'events', 'venues', 'organizers']));
    const [event, term] = [this.id('events'), this.id('terms')];
    const set = (columns: string) => `UPDATE wp_posts SET ${columns} WHERE ID = ${post}`;
    const option = (name: string, values: readonly string[]) =>
      `UPDATE wp_options SET option_value = '${dice.pick(values)}' WHERE option_name = '${name}'`;
    return dice.pick([
      () => set(`post_title = 'changed ${++this.number}'`),
      () => set(`post_content = '${dice.pick(TEXTS)}', post_excerpt = 'changed'`),
      () => set(`post_status = '${dice.pick(STATUSES)}'`),
      () => set(`post_password = '${dice.pick(['', 'secret'])}'`),
      () => set(`post_author = ${dice.roll(6)}, menu_order = ${-dice.roll(2)}`),
      () => set(`post_date = '2090-0${1 + dice.roll(9)}-01 00:00:00'`),
      () => set(`post_type = '${dice.pick(['tribe_events', 'tribe_venue', 'post'])}'`),
      () => `DELETE FROM wp_posts WHERE ID = ${post}`,
      () => this.detail(event),
      () =>
        `DELETE FROM wp_postmeta WHERE post_id = ${post} AND meta_key = '${dice.pick([...FLAGS, '_EventVenueID', '_VenueCity'])}'`,
      () =>
        `UPDATE wp_postmeta SET meta_value = '${this.id('venues')}' WHERE post_id = ${event} AND meta_key = '_EventVenueID'`,
      () => this.occurrence(event),
      () => `DELETE FROM wp_tec_occurrences WHERE post_id = ${event}`,
      () => `UPDATE wp_tec_occurrences SET end_date = '${dice.pick(ENDS)}' WHERE post_id = ${event}`,
      () => this.carries(event),
      () => `DELETE FROM wp_term_relationships WHERE object_id = ${event}`,
      () => `UPDATE wp_terms SET name = 'changed ${++this.number}' WHERE term_id = ${term}`,
      () =>
        `UPDATE wp_term_taxonomy SET parent = ${dice.pick([0, this.id('terms')])}, count = ${dice.roll(3)} WHERE term_id = ${term} AND taxonomy = 'tribe_events_cat'`,
      () => `DELETE FROM wp_term_taxonomy WHERE term_id = ${term}`,
      () =>
        option('timezone_string', ['America/New_York', 'Europe/Berlin', 'UTC', 'Australia/Lord_Howe', '']),
      () => option('gmt_offset', ['', '5.5', '-3.5', '14']),
      () => option('posts_per_page', ['10', '5', '0', '60']),
      () => option('permalink_structure', ['/%postname%/', '', '/blog/%postname%']),
      () =>
        option('tribe_events_calendar_options', [
          'a:0:{}',
          'a:2:{s:26:"tribe_events_timezone_mode";s:4:"site";s:14:"multiDayCutoff";s:5:"05:00";}',
          'a:1:{s:15:"singleEventSlug";s:4:"gig!";}',
        ]),
    ])();
  }

  /** A path with its query. */
  request(): string {
    const { dice } = this;
    const id = () => this.id(dice.pick(['events', 'venues', 'organizers', 'terms']));
    return dice.pick([
      ...Array.from({ length: 6 }, () => () => `/events?${this.eventFilters()}`),
      () =>
        `/events/${this.id('events')}${dice.pick(['', '?password=secret', '?context=edit', '?_fields=title,venue,json_ld'])}`,
      () => `/events/by-slug/odd-${dice.roll(9)}`,
      () => `/${dice.pick(['venues', 'organizers'])}?${this.linkedFilters()}`,
      () => `/${dice.pick(['venues', 'organizers'])}/${id()}`,
      () => `/${dice.pick(['categories', 'tags'])}?${this.termFilters()}`,
      () => `/${dice.pick(['categories', 'tags'])}/${this.id('terms')}`,
      () => `/events.${dice.pick(['ics', 'rss', 'feed.json'])}?${this.eventFilters()}`,
      () => `/events/${this.id('events')}.ics`,
      () => dice.pick(['', '/doc']),
    ])();
  }

  private eventFilters(): string {
    const { dice } = this;
    const date = () =>
      encodeURIComponent(
        dice.pick([
          ...DATES.slice(0, 8),
          'now',
          'tomorrow',
          '+5 days',
          '2091-03-11T02:30:00Z',
          '3824000000',
          '2091',
        ]),
      );
    return this.some([
      [2, () => `start_date=${date()}`],
      [2, () => `end_date=${date()}`],
      [6, () => `${dice.pick(['starts_before', 'starts_after', 'ends_before', 'ends_after'])}=${date()}`],
      [6, () => `strict_dates=${dice.pick(['1', 'true', 'banana'])}`],
      [5, () => `search=${dice.pick(['alpha', 'changed', '%22x%22', '-alpha', 'zulu'])}`],
      [6, () => `categories=${dice.pick(['odd-0', 'odd-1,music', String(this.id('terms'))])}`],
      [8, () => `tags[]=odd-6&tags[]=${this.id('terms')}`],
      [7, () => `venue=${this.id('venues')},34`],
      [7, () => `organizer=${this.id('organizers')}`],
      [6, () => `featured=${dice.pick(['1', 'false'])}`],
      [10, () => `include=${this.id('events')},${this.id('events')},53`],
      [12, () => 'post_parent=53'],
      [8, () => `status=${dice.pick(['publish', 'draft,private', '', 'trash'])}`],
      [10, () => `orderby=${dice.pick(['title', 'modified', 'end_date', 'id'])}`],
      [12, () => 'with_hidden=1'],
      ...this.ofAnyList(),
    ]);
  }

  private linkedFilters(): string {
    const { dice } = this;
    return this.some([
      [3, () => `search=${dice.pick(['alpha', 'changed', 'b.test', 'x'])}`],
      [4, () => `event=${this.id('events')}`],
      [4, () => `has_events=${dice.pick(['1', '0'])}`],
      [4, () => 'only_with_upcoming=yes'],
      [5, () => `status=${dice.pick(['publish', 'draft', ''])}`],
      ...this.ofAnyList(),
    ]);
  }

  private termFilters(): string {
    const { dice } = this;
    return this.some([
      [4, () => 'search=odd'],
      [2, () => 'hide_empty=0'],
      [4, () => `event=${this.id('events')}`],
      [4, () => `include=${this.id('terms')},${this.id('terms')}`],
      [3, () => `orderby=${dice.pick(['count', 'slug', 'id', 'parent'])}&order=desc`],
      ...this.ofAnyList(),
    ]);
  }

  private ofAnyList(): [number, () => string][] {
    const { dice } = this;
    return [
      [2, () => `per_page=${dice.pick(['1', '3', '50', '51'])}`],
      [3, () => `page=${dice.pick(['1', '2', '3', '40'])}`],
      [10, () => `_fields=${dice.pick(['events', 'total,rest_url', 'events.id', 'cost_details.nothing'])}`],
      [15, () => dice.pick(['_envelope=1', '_jsonp=call', '_pretty=1', '_format=clean'])],
      [12, () => dice.pick(['password=secret', 'context=edit', 'context=embed'])],
    ];
  }

  /** Includes each item with the probability of one in a number, in random order. */
  private some(parts: readonly (readonly [oneOf: number, part: () => string])[]): string {
    const chosen = parts.flatMap(([oneOf, part]) => (this.dice.roll(oneOf) === 0 ? [part()] : []));
    return this.dice.some(chosen.length, chosen).join('&');
  }

  private id(kind: keyof typeof FIRST): number {
    return FIRST[kind] + this.dice.roll(COUNT[kind]);
  }

  private post(id: number, type: string): string {
    const { dice } = this;
    const [title, content, excerpt] = [dice.pick(TEXTS), dice.pick(TEXTS), dice.pick(TEXTS)];
    const posted = dice.pick([
      '2090-01-01 00:00:00',
      '2090-01-01 00:00:00',
      '2091-02-28 23:59:59',
      '0000-00-00 00:00:00',
    ]);
    const status = dice.pick(['publish', 'publish', 'publish', ...STATUSES]);
    return `INSERT INTO wp_posts (ID, post_author, post_date, post_date_gmt, post_modified, post_modified_gmt, post_title, post_content, post_excerpt,
      post_status, post_type, post_name, post_password, post_parent, menu_order, to_ping, pinged, post_content_filtered)
      VALUES (${id}, ${dice.roll(6)}, '${posted}', '${posted}', '${posted}', '${posted}', '${title}', '${content}', '${excerpt}', '${status}',
      '${type}', 'odd-${id % 10}', '${dice.roll(8) === 0 ? 'secret' : ''}', ${dice.roll(30) === 0 ? 53 : 0}, ${-dice.roll(2)}, '', '', '')`;
  }

  private occurrence(id: number): string {
    const { dice } = this;
    const [start, utc] = [dice.pick(DATES), dice.pick(DATES)];
    return `INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, hash)
      VALUES (${id}, ${id}, '${start}', '${utc}', '${dice.pick(ENDS)}', '${dice.pick(ENDS)}', 'odd ${++this.number}')`;
  }

  /** Adds a meta to an event: a link, a flag or a cost. */
  private detail(id: number): string {
    const { dice } = this;
    const linked = (kind: 'venues' | 'organizers') =>
      dice.roll(4) === 0 ? dice.pick(LINKS) : String(this.id(kind));
    return dice.pick([
      () => this.meta(id, '_EventVenueID', linked('venues')),
      () => this.meta(id, '_EventOrganizerID', linked('organizers')),
      () => this.meta(id, dice.pick(FLAGS), dice.pick(['1', 'yes', '', '4', ...COSTS])),
      () => this.meta(id, '_EventCost', dice.pick(COSTS)),
    ])();
  }

  private meta(id: number, key: string, value: string): string {
    return `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '${key}', '${value}')`;
  }

  private carries(id: number): string {
    const term = this.id('terms');
    return `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id, term_order) SELECT ${id}, term_id, 0 FROM wp_terms
      WHERE term_id = ${term} AND NOT EXISTS (SELECT 1 FROM wp_term_relationships WHERE object_id = ${id} AND term_taxonomy_id = ${term})`;
  }
}
