import type { ComponentChildren, ComponentType } from 'preact';
import type { Session } from './session.js';

/** A kind of records, by the name that its addresses have: `events`, or the path of a plugin's resource. */
export type Kind = string;

/** A record as the interface shows it; which members it has depends on its kind. */
export type Row = { readonly id: number } & Readonly<Record<string, unknown>>;

/** A record that was chosen for a field. */
export interface Choice {
  id: number;
  label: string;
  /** The address of a small picture of it. */
  picture?: string;
}

/** What is in a field: a text, a flag, or chosen records. Dates and times are `YYYY-MM-DDTHH:MM`, where either half may be empty. */
export type Value = string | boolean | readonly Choice[] | Draft;
export type Values = Readonly<Record<string, Value>>;

/** A value of a plugin's field as inputs have it: texts and flags, in lists and objects. */
export type Draft = string | boolean | readonly Draft[] | { readonly [member: string]: Draft };

/** What the input of a field that consists of several gets. */
export interface InputProps {
  field: Field;
  prefix: string;
  value: Value;
  /** What is wrong inside it, and where: the path of a member or item. */
  error?: string;
  at?: string;
  /** Ids of what describes it. */
  describedBy: string;
  isInvalid: boolean;
  onChange: (value: Value) => void;
  /** Its help and what is wrong with it as a whole. */
  children: ComponentChildren;
}

/** One field of a form. */
export interface Field {
  /** Its name in the interface, in bodies and in errors. */
  name: string;
  label: string;
  kind:
    | 'text'
    | 'area'
    | 'rich'
    | 'flag'
    | 'moment'
    | 'select'
    | 'zone'
    | 'choices'
    | 'image'
    | 'recurrence'
    | 'declared';
  /** What shows a `declared` field. */
  input?: ComponentType<InputProps>;
  /** Of texts: what the browser may help with. */
  type?: 'text' | 'url' | 'email' | 'tel' | 'number' | 'integer' | 'decimal';
  help?: string;
  required?: boolean;
  rows?: number;
  /** What may be chosen in a `select`: value and label. */
  options?: (session: Session, row: Row | undefined) => readonly (readonly [value: string, label: string])[];
  /** Which records may be chosen, and whether several. */
  of?: Kind;
  many?: boolean;
  /** What is in it for a record; by default the member of the same name, as text. */
  read?: (row: Row) => Value;
  /** What it begins with in a new record; by default nothing. */
  blank?: Value | ((session: Session) => Value);
  /** What is sent for it; by default the value. */
  write?: (value: Value) => unknown;
  /** The value that a new record is not sent; by default nothing. */
  unsent?: Value;
  /** Whether a value counts as missing, of a `declared` field. */
  isEmpty?: (value: Value) => boolean;
  /** Of an object: the fields of its members. */
  members?: readonly { member: string; field: Field }[];
  /** Of a list: the field of the item in a row, an item without content, and how many there may be. */
  items?: { fieldAt: (row: number) => Field; blank: Draft; most: number };
  /** What a part of it is called, by its path inside. */
  labelAt?: (path: string) => string;
  /** Whether an empty value is refused by the interface, so that what is there can only be replaced. */
  keeps?: boolean;
  /** Who is shown it at all. */
  may?: (session: Session) => boolean;
  /** It is offered for records that exist only. */
  later?: boolean;
  /** It is asked for where a record is made beside another one. */
  quick?: boolean;
}

/** Fields that stand together under a heading. */
export interface Group {
  title: string;
  /** Beside the others where there is room. */
  aside?: boolean;
  fields: readonly Field[];
}

/** A kind of list, with what it asks for. */
export interface Tab {
  id: string;
  label: string;
  query: () => Readonly<Record<string, string | number | boolean>>;
  /** Only for who may edit records of the kind. */
  forEditors?: boolean;
}

/** `New event`, and so on. */
export interface ResourceTexts {
  new: string;
  edit: string;
  create: string;
  publish: string;
}

/** A column of a list; `cell` stands for the text where it is more than one, `may` says who gets it. */
interface Column {
  label: string;
  text: (row: Row) => string;
  cell?: (row: Row) => ComponentChildren;
  note?: (row: Row) => string;
  may?: (session: Session) => boolean;
}

/** A parameter of lists that takes a record; `may` says who gets it. */
interface Filter {
  name: string;
  label: string;
  of: Kind;
  may?: (session: Session) => boolean;
}

/** What there is to say of one kind of record. */
export interface Resource {
  kind: Kind;
  /** One of them, as the parameter of the calendar's page names it. */
  one: string;
  /** Several of them, and the member that lists have them in; by default the kind. */
  many?: string;
  label: string;
  /** Headings and buttons that name one of them. */
  texts: ResourceTexts;
  /** The plural in the capabilities of posts, such as `tribe_events`. */
  capabilities?: string;
  /** The post type, of records whose texts have revisions. */
  postType?: string;
  /** A plugin's, without a page in the calendar. */
  isDeclared?: boolean;
  /** Only chosen in fields of other records. */
  isHidden?: boolean;
  /** Its lists cannot be searched. */
  isUnsearched?: boolean;
  /** The member that holds its name. */
  title: string;
  isTerm: boolean;
  tabs: readonly Tab[];
  /** Records by which its lists can be narrowed, by the parameter of the interface. */
  filters?: readonly Filter[];
  /** What searches of other records' fields ask for; by default the first list. */
  found?: Readonly<Record<string, string | number | boolean>>;
  groups: readonly Group[];
  /** Further columns of lists. */
  columns: readonly Column[];
}

/** Visible fields of a kind, for a new record or an old one. */
export function fieldsOf({ groups }: Resource, session: Session, isNew: boolean): Field[] {
  return groups
    .flatMap(({ fields }) => fields)
    .filter(({ may, later }) => (may?.(session) ?? true) && !(later && isNew));
}

/** What a form begins with. */
export function valuesOf(fields: readonly Field[], row: Row | undefined, session: Session): Values {
  return Object.fromEntries(
    fields.map(({ name, kind, read, blank = EMPTY[kind] ?? '' }) => {
      if (!row) return [name, typeof blank === 'function' ? blank(session) : blank];
      return [name, read ? read(row) : textOf(row, name)];
    }),
  );
}

const EMPTY: Readonly<Record<string, Value>> = { flag: false, choices: [] };

/** A member as text; nothing where it is absent, `false`, or no text. */
export function textOf(row: Row, name: string): string {
  const value = row[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Whether two values say the same. */
export const isSame = (a: Value | undefined, b: Value | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** Fields that are sent together: the interface checks one by the other. */
export const TOGETHER: readonly string[] = ['start_date', 'end_date'];

/** Whether a moment is a day without a time: of an event that lasts all day. */
export const isWholeDay = (name: string, values: Values): boolean =>
  values['all_day'] === true && TOGETHER.includes(name);

/** Several of a kind, as sentences name them. */
export const pluralOf = ({ many, kind }: Resource): string => many ?? kind;

/** The description of a kind. */
export const resourceOf = (resources: readonly Resource[], kind: Kind): Resource | undefined =>
  resources.find((one) => one.kind === kind);

/** What is sent: of a new record all that was filled in, of an old one what has changed. */
export function bodyOf(
  fields: readonly Field[],
  values: Values,
  before: Values | undefined,
): Record<string, unknown> {
  const hasChanged = ({ name }: Field) => !isSame(values[name], before?.[name]);
  const moves = fields.some((field) => TOGETHER.includes(field.name) && hasChanged(field));
  const sent = fields.filter((field) =>
    before
      ? hasChanged(field) || (moves && TOGETHER.includes(field.name))
      : !isSame(values[field.name], field.unsent ?? (field.kind === 'choices' ? [] : '')),
  );
  return Object.fromEntries(
    sent.map(({ name, write }) => {
      const value = values[name] ?? '';
      return [name, write ? write(value) : value];
    }),
  );
}
