import { authorCell } from './authors/author-input.js';
import { TEXTS } from './catalogue.js';
import {
  choices,
  clock,
  decodedSlug,
  description,
  flag,
  ids,
  image,
  moment,
  momentOf,
  publishing,
  raw,
  slug,
  text,
  website,
} from './common-fields.js';
import { type Field, type Resource, type Row, textOf, type Value } from './model.js';
import { recurrenceField, shownRecurrence } from './recurrence/series.js';
import { mayEditOthers } from './rights.js';
import type { Session } from './session.js';
import { ALL, ALWAYS, EVENT_TABS, statusTabs } from './tabs.js';
import { decoded, ownTimes, shownMoment, shownTimes } from './texts.js';

// What the interface takes of each kind of record (docs/behaviour/events.md#fields-on-write and the like), as forms show it.

/** When a record was last changed. */
export const changed = { label: 'Changed', text: (row: Row) => shownMoment(textOf(row, 'modified')) };

const authorColumn = (plural: string) => ({
  label: TEXTS.authors.author,
  text: (row: Row) => textOf(row, 'author'),
  cell: authorCell,
  may: (session: Session) => mayEditOthers(session, plural),
});

const richDescription: Field = { ...description, kind: 'rich', help: undefined };

const EVENTS: Resource = {
  kind: 'events',
  capabilities: 'tribe_events',
  postType: 'tribe_events',
  one: 'event',
  found: ALWAYS,
  label: 'Events',
  title: 'title',
  isTerm: false,
  tabs: EVENT_TABS,
  filters: [
    { name: 'categories', label: 'Category', of: 'categories' },
    { name: 'venue', label: 'Venue', of: 'venues' },
    { name: 'organizer', label: 'Organizer', of: 'organizers' },
  ],
  columns: [
    { label: 'When', text: shownTimes, note: shownRecurrence },
    {
      label: 'Where',
      text: (row) =>
        choices(
          'venue',
          'venue',
        )(row)
          .map(({ label }) => label)
          .join(', '),
    },
    authorColumn('tribe_events'),
  ],
  groups: [
    {
      title: 'Event',
      fields: [
        text('title', 'Title', { required: true, read: raw('title') }),
        richDescription,
        {
          ...description,
          name: 'excerpt',
          label: 'Excerpt',
          rows: 3,
          read: raw('excerpt'),
          help: 'A sentence or two for lists.',
        },
      ],
    },
    {
      title: 'When',
      fields: [
        flag('all_day', 'Lasts all day'),
        {
          name: 'start_date',
          label: 'Start',
          kind: 'moment',
          required: true,
          read: moment('start_date'),
          write: clock,
        },
        {
          name: 'end_date',
          label: 'End',
          kind: 'moment',
          required: true,
          read: (row) => momentOf(ownTimes(row).end),
          write: clock,
        },
        { name: 'timezone', label: 'Time zone', kind: 'zone', blank: (session) => session.siteZone },
        recurrenceField,
      ],
    },
    {
      title: 'Where and who',
      fields: [
        {
          name: 'venue',
          label: 'Venues',
          kind: 'choices',
          of: 'venues',
          many: true,
          read: choices('venue', 'venue'),
          write: ids,
        },
        {
          name: 'organizer',
          label: 'Organizers',
          kind: 'choices',
          of: 'organizers',
          many: true,
          read: choices('organizer', 'organizer'),
          write: ids,
        },
        flag('show_map', 'Show a map of the venue', { blank: true }),
        flag('show_map_link', 'Show a link to a map', { blank: true }),
      ],
    },
    {
      title: 'Details',
      fields: [
        text('cost', 'Cost', {
          help: 'Such as 12, €10 – €20 or Free. The sign says the currency.',
          read: (row) => decoded(textOf(row, 'cost')),
        }),
        website,
      ],
    },
    publishing('tribe_events', [
      flag('featured', 'Featured'),
      flag('sticky', 'Pinned in the month view'),
      flag('hide_from_listings', 'Hide from lists', {
        help: 'It is then found by its address only; here it stays in the lists.',
      }),
      slug,
    ]),
    {
      title: 'Categories and tags',
      aside: true,
      fields: [
        {
          name: 'categories',
          label: 'Categories',
          kind: 'choices',
          of: 'categories',
          many: true,
          read: choices('categories'),
          write: ids,
        },
        {
          name: 'tags',
          label: 'Tags',
          kind: 'choices',
          of: 'tags',
          many: true,
          read: choices('tags'),
          write: ids,
          may: (session) => session.can('edit_posts'),
        },
      ],
    },
    { title: 'Image', aside: true, fields: [image] },
  ],
};

/** Flags of venues are sent as texts. */
const word = (value: Value) => String(value === true);

const VENUES: Resource = {
  kind: 'venues',
  capabilities: 'tribe_venues',
  postType: 'tribe_venue',
  one: 'venue',
  label: 'Venues',
  title: 'venue',
  isTerm: false,
  tabs: [ALL, ...statusTabs({})],
  columns: [{ label: 'City', text: (row) => textOf(row, 'city') }, authorColumn('tribe_venues'), changed],
  groups: [
    {
      title: 'Venue',
      fields: [text('venue', 'Name', { required: true, quick: true, read: raw('title') }), richDescription],
    },
    {
      title: 'Address',
      fields: [
        text('address', 'Street and number', { quick: true }),
        text('zip', 'Postal code', { quick: true }),
        text('city', 'City', { quick: true }),
        text('province', 'Province', { help: 'Outside the United States.' }),
        text('state', 'State', { help: 'In the United States.' }),
        text('country', 'Country', { quick: true }),
        flag('show_map', 'Show a map', { blank: true, write: word }),
        flag('show_map_link', 'Show a link to a map', { blank: true, write: word }),
      ],
    },
    { title: 'Contact', fields: [text('phone', 'Telephone', { type: 'tel' }), website] },
    publishing('tribe_venues', []),
    { title: 'Image', aside: true, fields: [image] },
  ],
};

const ORGANIZERS: Resource = {
  kind: 'organizers',
  capabilities: 'tribe_organizers',
  postType: 'tribe_organizer',
  one: 'organizer',
  label: 'Organizers',
  title: 'organizer',
  isTerm: false,
  tabs: [ALL, ...statusTabs({})],
  columns: [
    { label: 'E-mail', text: (row) => textOf(row, 'email') },
    authorColumn('tribe_organizers'),
    changed,
  ],
  groups: [
    {
      title: 'Organizer',
      fields: [
        text('organizer', 'Name', { required: true, quick: true, read: raw('title') }),
        richDescription,
      ],
    },
    {
      title: 'Contact',
      fields: [
        text('email', 'E-mail', { type: 'email', quick: true }),
        text('phone', 'Telephone', { type: 'tel', quick: true }),
        website,
      ],
    },
    publishing('tribe_organizers', []),
    { title: 'Image', aside: true, fields: [image] },
  ],
};

const term = (kind: 'categories' | 'tags', one: string, label: string, more: readonly Field[]): Resource => ({
  kind,
  one,
  label,
  title: 'name',
  isTerm: true,
  tabs: [{ id: 'all', label: 'All', query: () => ({ hide_empty: false }) }],
  columns: [
    { label: 'Slug', text: (row) => decodedSlug(textOf(row, 'slug')) },
    { label: 'Events', text: (row) => textOf(row, 'count') },
  ],
  groups: [
    {
      title: label,
      fields: [
        text('name', 'Name', { required: true, quick: true, read: (row) => decoded(textOf(row, 'name')) }),
        { ...slug, keeps: true, help: 'The last part of its address; made from the name.' },
        {
          ...description,
          rows: 4,
          keeps: true,
          read: (row) => textOf(row, 'description'),
          help: 'May hold links and emphasis.',
        },
        ...more,
      ],
    },
  ],
});

const parentOf = (row: Row) => decoded(textOf(row, 'parent_name')) || `number ${row['parent']}`;

/** All kinds, in the order of the page's menu. */
export const RESOURCES: readonly Resource[] = [
  EVENTS,
  VENUES,
  ORGANIZERS,
  term('categories', 'category', 'Categories', [
    {
      name: 'parent',
      label: 'Below',
      kind: 'choices',
      of: 'categories',
      keeps: true,
      read: (row) => (Number(row['parent']) > 0 ? [{ id: Number(row['parent']), label: parentOf(row) }] : []),
      write: (value) => ids(value)[0],
    },
  ]),
  term('tags', 'tag', 'Tags', []),
];
