import { AuthorInput } from './authors/author-input.js';
import { TEXTS } from './catalogue.js';
import { withScheme } from './checks.js';
import { type Choice, type Field, type Group, type Row, textOf, type Value } from './model.js';
import { mayEditOthers, mayPublish } from './rights.js';
import type { Session } from './session.js';
import { decoded, STATUS_WORDS, titleOf } from './texts.js';

// Fields of forms that several kinds of records have, and what fields are made of.

const T = TEXTS.fields;

/** Reads a text as it is stored; as it is shown where that is not said. */
export const raw = (member: 'title' | 'description' | 'excerpt') => (row: Row) =>
  (row['raw'] as Record<string, string> | undefined)?.[member] ?? textOf(row, member);
/** `YYYY-MM-DD HH:MM:SS` as inputs have it. */
export const momentOf = (clock: string) => clock.slice(0, 16).replace(' ', 'T');
/** Reads the member of a record in this form. */
export const moment = (name: string) => (row: Row) => momentOf(textOf(row, name));
/** What an input has, as the interface stores it. */
export const clock = (value: Value) => {
  const [day = '', time = ''] = String(value).split('T');
  return day === '' ? '' : `${day} ${time === '' ? '00:00' : time}:00`;
};
/** The ids of what was chosen. */
export const ids = (value: Value) =>
  Array.isArray(value) ? (value as readonly Choice[]).map(({ id }) => id) : [];

const list = (value: unknown): Row[] => (Array.isArray(value) ? value : value ? [value as Row] : []);
/** Reads the records in a member. */
export const choices =
  (name: string, title = 'name') =>
  (row: Row): Choice[] =>
    list(row[name]).map((one) => ({ id: one.id, label: titleOf(one, title) }));

/** A field to tick. */
export const flag = (name: string, label: string, more: Partial<Field> = {}): Field => ({
  name,
  label,
  kind: 'flag',
  read: (row) => row[name] === true,
  ...more,
});
/** A line of text. */
export const text = (name: string, label: string, more: Partial<Field> = {}): Field => ({
  name,
  label,
  kind: 'text',
  ...more,
});
/** The address of a website. */
export const website: Field = text('website', T.website, {
  type: 'url',
  // What links nowhere else shows the record's own address.
  read: (row) => (row['website'] === row['url'] ? '' : decoded(textOf(row, 'website'))),
  write: (value) => withScheme(String(value)),
  quick: true,
});
/** A long text. */
export const description: Field = {
  name: 'description',
  label: T.description,
  kind: 'area',
  rows: 9,
  read: raw('description'),
  help: T.descriptionHelp,
};
/** The featured image. */
export const image: Field = {
  name: 'image',
  label: T.imageField,
  kind: 'image',
  help: T.imageHelp,
  read: (row) => textOf((row['image'] || { id: 0 }) as Row, 'id').replace(/^0$/, ''),
};
/** The last part of the address. */
export const slug: Field = text('slug', T.slug, {
  help: T.slugHelp,
  read: (row) => decodedSlug(textOf(row, 'slug')),
});

/** A slug as people read it. */
export function decodedSlug(stored: string): string {
  try {
    return decodeURIComponent(stored);
  } catch {
    return stored;
  }
}

/** What makes a record public, and for whom; `plural` as in the capabilities of its type. */
export function publishing(plural: string, more: readonly Field[]): Group {
  return {
    title: T.publishing,
    aside: true,
    fields: [
      {
        name: 'status',
        label: T.status,
        kind: 'select',
        blank: (session) => (mayPublish(session, plural) ? 'publish' : 'draft'),
        options: (session, row) => statuses(session, plural, row),
      },
      {
        name: 'date',
        label: T.date,
        kind: 'moment',
        read: moment('date'),
        write: clock,
        keeps: true,
        may: (session) => mayPublish(session, plural),
        help: T.dateHelp,
      },
      ...more,
      text('author', TEXTS.authors.author, {
        type: 'number',
        input: AuthorInput,
        keeps: true,
        may: (session) => mayEditOthers(session, plural),
        blank: (session) => String(session.id),
        write: Number,
      }),
    ],
  };
}

function statuses(session: Session, plural: string, row: Row | undefined) {
  const offered = mayPublish(session, plural)
    ? ['publish', 'draft', 'pending', 'private']
    : ['draft', 'pending'];
  const now = row && textOf(row, 'status');
  const all = now === undefined || offered.includes(now) ? offered : [now, ...offered];
  return all.map((status) => [status, STATUS_WORDS[status] ?? status] as const);
}
