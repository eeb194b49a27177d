import type { FormValue } from '../../../src/pages/editor/resource-form.js';
import { clock, momentOf } from '../common-fields.js';
import type { Draft } from '../model.js';

// Values of plugins' fields, between the interface and inputs.

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** What inputs have of a stored value; of null what they begin with. */
export function draftOf(described: FormValue, value: unknown): Draft {
  const { type, items, properties = {} } = described;
  if (type === 'object') {
    const members = membersOf(value);
    return Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, draftOf(member, members[name])]),
    );
  }
  if (type === 'list') return Array.isArray(value) && items ? value.map((item) => draftOf(items, item)) : [];
  if (type === 'boolean') return value === true;
  const text = value === null || value === undefined ? '' : String(value);
  return type === 'date' ? dateOf(text) : text;
}

/** The clock of an ISO date as inputs have it; seconds only where there are some. */
const dateOf = (iso: string): string => (iso.slice(16, 19) === ':00' ? momentOf(iso) : iso.slice(0, 19));

/** Whether nothing was typed, ticked or chosen. */
export function isEmptyDraft(draft: Draft): boolean {
  if (typeof draft === 'string') return draft.trim() === '';
  return typeof draft === 'boolean' ? !draft : Object.values(draft).every(isEmptyDraft);
}

/** Whether an item of a list is sent; flags always say something. */
const isSent = (draft: Draft): boolean =>
  typeof draft === 'object' ? Object.values(draft).some(isSent) : draft !== '';

/** What is sent for it; null for nothing. */
export function jsonOf(described: FormValue, draft: Draft): unknown {
  const { type, items, properties = {} } = described;
  if (typeof draft === 'boolean') return draft;
  if (Array.isArray(draft)) return items && sentItems(draft).map(({ item }) => itemJson(items, item));
  if (typeof draft === 'object') return isEmptyDraft(draft) ? null : objectJson(properties, draft);
  const text = draft.trim();
  if (text === '') return null;
  if (type === 'date') return dateJson(text);
  const isNumber = type === 'integer' || type === 'number' || type === 'reference';
  // The server says what is wrong with a text that is no number.
  return isNumber && String(Number(text)) === text ? Number(text) : text;
}

const itemJson = (items: FormValue, item: Draft): unknown =>
  items.type === 'object' ? objectJson(items.properties ?? {}, item) : jsonOf(items, item);

function objectJson(properties: NonNullable<FormValue['properties']>, draft: Draft): object {
  const members = membersOf(draft) as Readonly<Record<string, Draft>>;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, member]) => {
      const value = jsonOf(member, members[name] ?? '');
      return value === null ? [] : [[name, value]];
    }),
  );
}

function dateJson(text: string): string {
  const [, seconds = '00'] = /T\d\d:\d\d:(\d\d)$/.exec(text) ?? [];
  return clock(momentOf(text)).replace(/00$/, seconds) || text;
}

/** The items of a list that are sent, with their positions in the form. */
export const sentItems = (items: readonly Draft[]): { item: Draft; row: number }[] =>
  items.map((item, row) => ({ item, row })).filter(({ item }) => isSent(item));
