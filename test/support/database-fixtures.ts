import type { OldAnswer } from './old-server.js';

// biome-ignore lint/suspicious/noExplicitAny: whatever a record holds
type AnyRecord = any;

/** A seeded difference of an old server, and the text by which a report is searched for it. */
export interface DatabaseFixture {
  finds: string;
  change(answer: OldAnswer): void;
}

/** Changes a record in lists, alone, or within another one. */
function record(
  finds: string,
  is: (shown: AnyRecord) => boolean,
  change: (shown: AnyRecord) => void,
): DatabaseFixture {
  const visit = (value: AnyRecord): void => {
    if (typeof value !== 'object' || value === null) return;
    if (is(value)) change(value);
    for (const inner of Object.values(value)) visit(inner);
  };
  return { finds, change: ({ json }) => visit(json) };
}

const event = (slug: string) => (shown: AnyRecord) => 'all_day' in shown && shown.slug === slug;
const member = (name: string) => (shown: AnyRecord) => typeof shown[name] === 'string' && 'slug' in shown;

/** Changes the responses whose path matches. */
function answer(finds: string, path: RegExp, change: (answer: OldAnswer) => void): DatabaseFixture {
  return {
    finds,
    change: (sent) => {
      if (path.test(sent.path)) change(sent);
    },
  };
}

/** Twenty differences of different kinds. */
export const PLANTS: readonly DatabaseFixture[] = [
  record('event · title: another text', event('concert-special'), (shown) => {
    shown.title += ' (sold out)';
  }),
  record('event · website: only Almanac shows it', event('concert-special'), (shown) => {
    delete shown.website;
  }),
  record('event · series: only the old server shows it', event('cafe-concert'), (shown) => {
    shown.series = [{ id: 5 }];
  }),
  record('event · featured: another type', event('cafe-concert'), (shown) => {
    shown.featured = shown.featured ? '1' : '0';
  }),
  record('event · sticky: another value', event('cafe-concert'), (shown) => {
    shown.sticky = !shown.sticky;
  }),
  record('event · utc_start_date: another date', event('cafe-concert'), (shown) => {
    shown.utc_start_date = '2090-10-29 07:15:00';
  }),
  record('event · excerpt: written with other HTML entities', event('cafe-concert'), (shown) => {
    shown.excerpt = shown.excerpt.replace('&#038;', '&amp;');
  }),
  record('event · description: other blanks', event('cafe-concert'), (shown) => {
    shown.description = shown.description.replaceAll('<br />', '<br />\n');
  }),
  record('event · cost_details.values: another number of items', event('cafe-concert'), (shown) => {
    shown.cost_details.values = ['donation', '5'];
  }),
  record('event · categories: another order', event('cafe-concert'), (shown) => {
    shown.categories.reverse();
  }),
  record('event · tags: Almanac lacks a linked record', event('cafe-concert'), (shown) => {
    shown.tags.push({ id: 4711, name: 'new', slug: 'new' });
  }),
  record('venue · city: another text', member('venue'), (shown) => {
    if (shown.city === 'Toronto') shown.city = 'Hamilton';
  }),
  record('organizer · email: another text', member('organizer'), (shown) => {
    if (shown.email === 'people13@example.org') shown.email = 'people@example.org';
  }),
  record(
    'category · urls.self: another address',
    (shown) => shown.slug === 'music',
    (shown) => {
      shown.urls.self += '/';
    },
  ),
  record(
    'tag · count: another number',
    (shown) => shown.slug === 'r-and-b',
    (shown) => {
      shown.count += 1;
    },
  ),
  answer('events list: Almanac lacks a record', /^\/events\?start_date=1950.*&per_page=50$/, ({ json }) => {
    json.events.splice(3, 0, { ...json.events[3], id: 987_654 });
  }),
  answer('venues list: Almanac shows a further record', /^\/venues\?per_page=50$/, ({ json }) => {
    json.venues.splice(2, 1);
  }),
  answer('tags list · total: another number', /^\/tags$/, ({ json, headers }) => {
    json.total += 7;
    headers['x-tec-total'] = `${json.total}`;
  }),
  answer('headers · x-tec-totalpages: another number', /^\/organizers$/, ({ headers }) => {
    headers['x-tec-totalpages'] = '99';
  }),
  answer('event: another status, 200 in place of 403 event-not-accessible', /^\/events\/57$/, (sent) => {
    sent.status = 403;
    sent.json = { code: 'event-not-accessible', message: '', data: { status: 403 } };
  }),
];

/** Intended differences, as reports name them. */
export const INTENDED: readonly DatabaseFixture[] = [
  answer('messages', /^\/events\/\d{8}$/, ({ json }) => {
    json.message = 'Not here.';
  }),
  record('R7', member('organizer'), (shown) => {
    if (shown.email) shown.email = shown.email.replace('o', '&#111;');
  }),
  record('R2', event('cafe-concert'), (shown) => {
    shown.organizer.push({ ...shown.organizer[0], id: 4712, status: 'draft' });
  }),
  record(
    'R10',
    (shown) => shown.cost === 'Free',
    (shown) => {
      shown.cost = 'Gratis';
    },
  ),
  answer('R4', /^\/venues\?search=/, ({ json, headers }) => {
    if (json.total !== 0) return;
    json.total = 18;
    headers['x-tec-total'] = '18';
  }),
  record('R16', event('opening-night-100'), (shown) => {
    shown.description +=
      '<ul class="wp-block-latest-posts__list wp-block-latest-posts"><li><a href="/">News</a></li></ul>';
  }),
];
