import type { ResourceForm } from '../../../src/pages/editor/resource-form.js';
import { fill } from '../../../src/pages/texts/fill.js';
import { TEXTS } from '../catalogue.js';
import { description, image, publishing, raw, slug, text } from '../common-fields.js';
import { type Field, type Group, type Resource, resourceOf, type Value } from '../model.js';
import { keptWhole } from '../records.js';
import { changed } from '../resources.js';
import { ALL, statusTabs } from '../tabs.js';
import { declaredField, type Inputs, labelOf } from './declared-fields.js';
import { ListInput } from './list-input.js';
import { ObjectInput } from './object-input.js';
import { ReferenceInput } from './reference-input.js';

const T = TEXTS.fields;

const INPUTS: Inputs = { reference: ReferenceInput, list: ListInput, object: ObjectInput };

/** The kinds of records with the fields and resources that plugins declare. */
export function withDeclared(
  known: readonly Resource[],
  forms: readonly ResourceForm[],
  siteZone: string,
): Resource[] {
  const extended = known.map((resource) => {
    const form = forms.find(({ path }) => path === resource.kind);
    return form ? { ...resource, groups: [...resource.groups, ...moreOf(form, siteZone)] } : resource;
  });
  const added = forms.filter(({ path }) => !resourceOf(known, path));
  return [...extended, ...added.map((form) => resourceOfForm(form, siteZone))];
}

/** The group of a plugin's fields; none without any. */
function moreOf({ fields, isTerm }: ResourceForm, siteZone: string): Group[] {
  const all = fields.map((described) => {
    const { name, title } = described;
    const field = declaredField({ described, name, label: title ?? labelOf(name), siteZone, inputs: INPUTS });
    // Of terms only these texts lose backslashes.
    return isTerm ? { ...field, write: (value: Value) => keptWhole(field.write?.(value)) } : field;
  });
  return all.length > 0 ? [{ title: T.more, fields: all }] : [];
}

/** A plugin's own resource. */
function resourceOfForm(form: ResourceForm, siteZone: string): Resource {
  const { path, singular, plural, capabilities = '', isTerm, isEditable, accepts, filters } = form;
  const accepted = ({ name }: Field) => accepts.includes(name);
  const publication = publishing(capabilities, [slug]);
  const groups: Group[] = [
    { title: labelOf(singular), fields: [TITLE, description].filter(accepted) },
    ...moreOf(form, siteZone),
    { ...publication, fields: publication.fields.filter(accepted) },
    { title: T.image, aside: true, fields: [image].filter(accepted) },
  ];
  return {
    kind: path,
    one: singular,
    many: plural,
    label: labelOf(plural),
    texts: {
      new: fill(T.newOther, { one: singular }),
      edit: fill(T.editOther, { one: singular }),
      create: fill(T.createOther, { one: singular }),
      publish: fill(T.publishOther, { one: singular }),
    },
    title: isTerm ? 'name' : 'title',
    isTerm,
    capabilities,
    isDeclared: true,
    isHidden: !isEditable,
    tabs: filters.includes('status') ? [ALL, ...statusTabs({})] : [ALL],
    isUnsearched: !filters.includes('search'),
    columns: [changed],
    groups,
  };
}

const TITLE = text('title', T.title, { required: true, quick: true, read: raw('title') });
