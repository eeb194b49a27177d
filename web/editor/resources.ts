import { fill } from '../../src/pages/texts/fill.js';
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

const T = TEXTS.fields;

/** When a record was last changed. */
export const changed = { label: T.changed, text: (row: Row) => shownMoment(textOf(row, 'modified')) };

const authorColumn = (plural: string) => ({
  label: TEXTS.authors.author,
  text: (row: Row) => textOf(row, 'author'),
  cell: authorCell,
  may: (session: Session) => mayEditOthers(session, plural),
});

const authorFilter = (plural: string) => ({
  name: 'author',
  label: TEXTS.authors.author,
  of: 'authors',
  may: (session: Session) => mayEditOthers(session, plural),
});

const richDescription: Field = { ...description, kind: 'rich', help: undefined };

const EVENTS: Resource = {
  kind: 'events',
  capabilities: 'tribe_events',
  postType: 'tribe_events',
  one: 'event',
  found: ALWAYS,
  label: T.events,
  texts: { new: T.newEvent, edit: T.editEvent, create: T.createEvent, publish: T.publishEvent },
  title: 'title',
  isTerm: false,
  tabs: EVENT_TABS,
  filters: [
    { name: 'categories', label: T.category, of: 'categories' },
    { name: 'venue', label: T.venue, of: 'venues' },
    { name: 'organizer', label: T.organizer, of: 'organizers' },
    authorFilter('tribe_events'),
  ],
  columns: [
    { label: T.when, text: shownTimes, note: shownRecurrence },
    {
      label: T.where,
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
      title: T.event,
      fields: [
        text('title', T.title, { required: true, read: raw('title') }),
        richDescription,
        {
          ...description,
          name: 'excerpt',
          label: T.excerpt,
          rows: 3,
          read: raw('excerpt'),
          help: T.excerptHelp,
        },
      ],
    },
    {
      title: T.when,
      fields: [
        flag('all_day', T.allDay),
        {
          name: 'start_date',
          label: T.start,
          kind: 'moment',
          required: true,
          read: moment('start_date'),
          write: clock,
        },
        {
          name: 'end_date',
          label: T.end,
          kind: 'moment',
          required: true,
          read: (row) => momentOf(ownTimes(row).end),
          write: clock,
        },
        { name: 'timezone', label: T.zone, kind: 'zone', blank: (session) => session.siteZone },
        recurrenceField,
      ],
    },
    {
      title: T.whereAndWho,
      fields: [
        {
          name: 'venue',
          label: T.venues,
          kind: 'choices',
          of: 'venues',
          many: true,
          read: choices('venue', 'venue'),
          write: ids,
        },
        {
          name: 'organizer',
          label: T.organizers,
          kind: 'choices',
          of: 'organizers',
          many: true,
          read: choices('organizer', 'organizer'),
          write: ids,
        },
        flag('show_map', T.showVenueMap, { blank: true }),
        flag('show_map_link', T.showMapLink, { blank: true }),
      ],
    },
    {
      title: T.details,
      fields: [
        text('cost', T.cost, {
          help: T.costHelp,
          read: (row) => decoded(textOf(row, 'cost')),
        }),
        website,
      ],
    },
    publishing('tribe_events', [
      flag('featured', T.featured),
      flag('sticky', T.sticky),
      flag('hide_from_listings', T.hidden, {
        help: T.hiddenHelp,
      }),
      slug,
    ]),
    {
      title: T.categoriesAndTags,
      aside: true,
      fields: [
        {
          name: 'categories',
          label: T.categories,
          kind: 'choices',
          of: 'categories',
          many: true,
          read: choices('categories'),
          write: ids,
        },
        {
          name: 'tags',
          label: T.tags,
          kind: 'choices',
          of: 'tags',
          many: true,
          read: choices('tags'),
          write: ids,
          may: (session) => session.can('edit_posts'),
        },
      ],
    },
    { title: T.image, aside: true, fields: [image] },
  ],
};

/** Flags of venues are sent as texts. */
const word = (value: Value) => String(value === true);

const VENUES: Resource = {
  kind: 'venues',
  capabilities: 'tribe_venues',
  postType: 'tribe_venue',
  one: 'venue',
  label: T.venues,
  texts: { new: T.newVenue, edit: T.editVenue, create: T.createVenue, publish: T.publishVenue },
  title: 'venue',
  isTerm: false,
  tabs: [ALL, ...statusTabs({})],
  columns: [{ label: T.city, text: (row) => textOf(row, 'city') }, authorColumn('tribe_venues'), changed],
  groups: [
    {
      title: T.venue,
      fields: [text('venue', T.name, { required: true, quick: true, read: raw('title') }), richDescription],
    },
    {
      title: T.address,
      fields: [
        text('address', T.street, { quick: true }),
        text('zip', T.zip, { quick: true }),
        text('city', T.city, { quick: true }),
        text('province', T.province, { help: T.provinceHelp }),
        text('state', T.state, { help: T.stateHelp }),
        text('country', T.country, { quick: true }),
        flag('show_map', T.showMap, { blank: true, write: word }),
        flag('show_map_link', T.showMapLink, { blank: true, write: word }),
      ],
    },
    { title: T.contact, fields: [text('phone', T.phone, { type: 'tel' }), website] },
    publishing('tribe_venues', []),
    { title: T.image, aside: true, fields: [image] },
  ],
};

const ORGANIZERS: Resource = {
  kind: 'organizers',
  capabilities: 'tribe_organizers',
  postType: 'tribe_organizer',
  one: 'organizer',
  label: T.organizers,
  texts: {
    new: T.newOrganizer,
    edit: T.editOrganizer,
    create: T.createOrganizer,
    publish: T.publishOrganizer,
  },
  title: 'organizer',
  isTerm: false,
  tabs: [ALL, ...statusTabs({})],
  columns: [
    { label: T.email, text: (row) => textOf(row, 'email') },
    authorColumn('tribe_organizers'),
    changed,
  ],
  groups: [
    {
      title: T.organizer,
      fields: [
        text('organizer', T.name, { required: true, quick: true, read: raw('title') }),
        richDescription,
      ],
    },
    {
      title: T.contact,
      fields: [
        text('email', T.email, { type: 'email', quick: true }),
        text('phone', T.phone, { type: 'tel', quick: true }),
        website,
      ],
    },
    publishing('tribe_organizers', []),
    { title: T.image, aside: true, fields: [image] },
  ],
};

const term = (
  names: Pick<Resource, 'kind' | 'one' | 'label' | 'texts'>,
  more: readonly Field[],
): Resource => ({
  ...names,
  title: 'name',
  isTerm: true,
  tabs: [{ ...ALL, query: () => ({ hide_empty: false }) }],
  columns: [
    { label: T.slug, text: (row) => decodedSlug(textOf(row, 'slug')) },
    { label: T.events, text: (row) => textOf(row, 'count') },
  ],
  groups: [
    {
      title: names.label,
      fields: [
        text('name', T.name, { required: true, quick: true, read: (row) => decoded(textOf(row, 'name')) }),
        { ...slug, keeps: true, help: T.termSlugHelp },
        {
          ...description,
          rows: 4,
          keeps: true,
          read: (row) => textOf(row, 'description'),
          help: T.termDescriptionHelp,
        },
        ...more,
      ],
    },
  ],
});

const parentOf = (row: Row) =>
  decoded(textOf(row, 'parent_name')) || fill(TEXTS.frame.number, { id: Number(row['parent']) });

/** Terms are not published. */
const CATEGORIES = {
  kind: 'categories',
  one: 'category',
  label: T.categories,
  texts: { new: T.newCategory, edit: T.editCategory, create: T.createCategory, publish: T.createCategory },
};
const TAGS = {
  kind: 'tags',
  one: 'tag',
  label: T.tags,
  texts: { new: T.newTag, edit: T.editTag, create: T.createTag, publish: T.createTag },
};

/** All kinds, in the order of the page's menu. */
export const RESOURCES: readonly Resource[] = [
  EVENTS,
  VENUES,
  ORGANIZERS,
  term(CATEGORIES, [
    {
      name: 'parent',
      label: T.parent,
      kind: 'choices',
      of: 'categories',
      keeps: true,
      read: (row) => (Number(row['parent']) > 0 ? [{ id: Number(row['parent']), label: parentOf(row) }] : []),
      write: (value) => ids(value)[0],
    },
  ]),
  term(TAGS, []),
];
