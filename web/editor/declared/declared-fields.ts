import type { FormMember, FormValue } from '../../../src/pages/editor/resource-form.js';
import { fill } from '../../../src/pages/texts/fill.js';
import { TEXTS } from '../catalogue.js';
import type { Draft, Field } from '../model.js';
import { draftOf, isEmptyDraft, jsonOf } from './drafts.js';

const T = TEXTS.fields;

/** What shows the values that consist of several, and references. */
export type Inputs = Readonly<Record<'reference' | 'list' | 'object', Field['input']>>;

/** What a field is made of. */
export interface Declared {
  described: FormMember & { default?: unknown };
  /** Its name, inside objects and lists its path. */
  name: string;
  label: string;
  /** The zone of dates that name none. */
  siteZone: string;
  inputs: Inputs;
}

/** The form's field for a declared value. */
export function declaredField(declared: Declared): Field {
  const { described, name, label } = declared;
  const { required = false, default: start = null } = described;
  const blank = draftOf(described, start);
  return {
    name,
    label,
    required,
    // Its own creation asks for it, even beside another form.
    quick: required,
    help: helpOf(declared),
    blank,
    // A default is not stored.
    unsent: required ? undefined : blank,
    read: (row) => draftOf(described, row[name]),
    write: (value) => jsonOf(described, value as Draft),
    isEmpty: described.type === 'boolean' ? () => false : (value) => isEmptyDraft(value as Draft),
    labelAt: (path) => labelAt(described, label, path.split('.')),
    ...inputOf(declared),
  };
}

type Shown = Pick<Field, 'kind' | 'type' | 'options' | 'input' | 'of' | 'many' | 'members' | 'items'>;

function inputOf(declared: Declared): Shown {
  const { described, inputs } = declared;
  const { type, items, values = [], default: start } = described;
  if (type === 'boolean') return { kind: 'flag' };
  if (type === 'date') return { kind: 'moment' };
  if (type === 'enum') {
    const none = start === undefined ? [['', T.noChoice] as const] : [];
    return { kind: 'select', options: () => [...none, ...values.map((value) => [value, value] as const)] };
  }
  if (type === 'reference') return { kind: 'declared', input: inputs.reference, of: described.to };
  if (type === 'list' && items?.type === 'reference')
    return { kind: 'declared', input: inputs.reference, of: items.to, many: true };
  if (type === 'list') return { kind: 'declared', input: inputs.list, items: itemsOf(declared) };
  if (type === 'object') return { kind: 'declared', input: inputs.object, members: membersOf(declared) };
  if (type === 'integer') return { kind: 'text', type };
  return { kind: 'text', type: type === 'number' ? 'decimal' : 'text' };
}

function itemsOf({ described, name, label, ...shared }: Declared): Field['items'] {
  const { items = { type: 'string' }, maxItems = 100 } = described;
  return {
    fieldAt: (row) =>
      declaredField({
        described: items,
        name: `${name}.${row}`,
        label: fill(T.item, { label: items.title ?? label, n: row + 1 }),
        ...shared,
      }),
    blank: draftOf(items, null),
    most: maxItems,
  };
}

function membersOf({ described, name, ...shared }: Declared): Field['members'] {
  return Object.entries(described.properties ?? {}).map(([member, own]) => {
    const label = own.title ?? labelOf(member);
    return {
      member,
      field: declaredField({ ...shared, described: own, name: `${name}.${member}`, label }),
    };
  });
}

function helpOf({ described, siteZone }: Declared): string | undefined {
  const { type, zone, description = '' } = described;
  const clock = type === 'date' ? fill(T.clockOf, { zone: zone ?? siteZone }) : '';
  return [description, clock].filter(Boolean).join(' ') || undefined;
}

/** A name as people read it: `dress_code` is `Dress code`. */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function labelAt(described: FormValue | undefined, label: string, path: readonly string[]): string {
  const [first, ...rest] = path;
  if (first === undefined || !described) return label;
  const member = described.properties?.[first];
  const part = member
    ? labelAt(member, member.title ?? labelOf(first), rest)
    : labelAt(described.items, String(Number(first) + 1), rest);
  return fill(T.part, { label, part });
}
