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
  is: (record: AnyRecord) => boolean,
  change: (record: AnyRecord) => void,
): DatabaseFixture {
  const visit = (value: AnyRecord): void => {
    if (typeof value !== 'object' || value === null) return;
    if (is(value)) change(value);
    for (const inner of Object.values(value)) visit(inner);
  };
  return { finds, change: ({ json }) => visit(json) };
}

const event = (slug: string) => (record: AnyRecord) => 'all_day' in record && record.slug === slug;
const member = (name: string) => (record: AnyRecord) => typeof record[name] === 'string' && 'slug' in record;

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
  record('event · title: another text', event('concert-special'), (record) => {
    record.title += ' (sold out)';
  }),
  record('event · website: only Almanac shows it', event('concert-special'), (record) => {
    delete record.website;
  }),
  record('event · series: only the old server shows it', event('cafe-concert'), (record) => {
    record.series = [{ id: 5 }];
  }),
  record('event · featured: another type', event('cafe-concert'), (record) => {
    record.featured = record.featured ? '1' : '0';
  }),
  record('event · sticky: another value', event('cafe-concert'), (record) => {
    record.sticky = !record.sticky;
  }),
  record('event · utc_start_date: another date', event('cafe-concert'), (record) => {
    record.utc_start_date = '2090-10-29 07:15:00';
  }),
  record('event · excerpt: written with other HTML entities', event('cafe-concert'), (record) => {
    record.excerpt = record.excerpt.replace('&#038;', '&amp;');
  }),
  record('event · description: other blanks', event('cafe-concert'), (record) => {
    record.description = record.description.replaceAll('<br />', '<br />\n');
  }),
  record('event · cost_details.values: another number of items', event('cafe-concert'), (record) => {
    record.cost_details.values = ['donation', '5'];
  }),
  record('event · categories: another order', event('cafe-concert'), (record) => {
    record.categories.reverse();
  }),
  record('event · tags: Almanac lacks a linked record', event('cafe-concert'), (record) => {
    record.tags.push({ id: 4711, name: 'new', slug: 'new' });
  }),
  record('venue · city: another text', member('venue'), (record) => {
    if (record.city === 'Toronto') record.city = 'Hamilton';
  }),
  record('organizer · email: another text', member('organizer'), (record) => {
    if (record.email === 'people13@example.org') record.email = 'people@example.org';
  }),
  record(
    'category · urls.self: another address',
    (record) => record.slug === 'music',
    (record) => {
      record.urls.self += '/';
    },
  ),
  record(
    'tag · count: another number',
    (record) => record.slug === 'r-and-b',
    (record) => {
      record.count += 1;
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
  record('R7', member('organizer'), (record) => {
    if (record.email) record.email = record.email.replace('o', '&#111;');
  }),
  record('R2', event('cafe-concert'), (record) => {
    record.organizer.push({ ...record.organizer[0], id: 4712, status: 'draft' });
  }),
  record(
    'R10',
    (record) => record.cost === 'Free',
    (record) => {
      record.cost = 'Gratis';
    },
  ),
  answer('R4', /^\/venues\?search=/, ({ json, headers }) => {
    if (json.total !== 0) return;
    json.total = 18;
    headers['x-tec-total'] = '18';
  }),
  record('R16', event('opening-night-100'), (record) => {
    record.description +=
      '<ul class="wp-block-latest-posts__list wp-block-latest-posts"><li><a href="/">News</a></li></ul>';
  }),
];
