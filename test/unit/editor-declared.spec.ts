import '../support/editor-document.js';
import type { FormField, FormValue } from '../../src/pages/editor/resource-form.js';
import { check } from '../../web/editor/checks.js';
import { declaredField, labelOf } from '../../web/editor/declared/declared-fields.js';
import { draftOf, jsonOf, sentItems } from '../../web/editor/declared/drafts.js';
import { bodyOf, type Draft, type Value } from '../../web/editor/model.js';

const NO_INPUTS = { reference: undefined, list: undefined, object: undefined };
const CONTACT: FormValue = {
  type: 'object',
  properties: { name: { type: 'string', required: true }, at_door: { type: 'boolean' } },
};

describe('values of plugins in forms', () => {
  it.each<[FormValue, unknown, Draft]>([
    [{ type: 'string' }, ' a "b" ', ' a "b" '],
    [{ type: 'string' }, null, ''],
    [{ type: 'integer' }, -12, '-12'],
    [{ type: 'number' }, 0.5, '0.5'],
    [{ type: 'boolean' }, null, false],
    [{ type: 'date' }, '2030-05-18T20:00:00+02:00', '2030-05-18T20:00'],
    [{ type: 'date' }, '2030-05-18T20:00:30-10:00', '2030-05-18T20:00:30'],
    [{ type: 'date' }, '2030-05-18T20:00:00Z', '2030-05-18T20:00'],
    [{ type: 'reference', to: 'venues' }, 7, '7'],
    [{ type: 'list', items: { type: 'reference', to: 'venues' } }, [7, 8], ['7', '8']],
    [{ type: 'list', items: { type: 'string' } }, null, []],
    [CONTACT, null, { name: '', at_door: false }],
    [CONTACT, { name: 'Mara', other: 1 }, { name: 'Mara', at_door: false }],
  ])('are read as inputs have them: %j %j', (described, value, draft) => {
    expect(draftOf(described, value)).toEqual(draft);
  });

  it.each<[FormValue, Draft, unknown]>([
    [{ type: 'string' }, ' a ', 'a'],
    [{ type: 'string' }, ' ', null],
    [{ type: 'integer' }, '-12', -12],
    [{ type: 'integer' }, '9007199254740993', '9007199254740993'],
    [{ type: 'number' }, 'many', 'many'],
    [{ type: 'boolean' }, false, false],
    [{ type: 'date' }, '2030-05-18T20:00', '2030-05-18 20:00:00'],
    [{ type: 'date' }, '2030-05-18T20:00:30', '2030-05-18 20:00:30'],
    [{ type: 'date' }, '2030-05-18T', '2030-05-18 00:00:00'],
    [{ type: 'date' }, 'T20:00', 'T20:00'],
    [{ type: 'list', items: { type: 'integer' } }, ['1', '', '3'], [1, 3]],
    [{ type: 'list', items: { type: 'boolean' } }, [false, true], [false, true]],
    [CONTACT, { name: '', at_door: false }, null],
    [CONTACT, { name: '', at_door: true }, { at_door: true }],
    [{ type: 'list', items: CONTACT }, [{ name: '', at_door: false }], [{ at_door: false }]],
  ])('are sent as the interface takes them: %j %j', (described, draft, json) => {
    expect(jsonOf(described, draft)).toEqual(json);
  });

  it('keep the positions of the items that are sent', () => {
    expect(sentItems(['a', '', 'c'])).toEqual([
      { item: 'a', row: 0 },
      { item: 'c', row: 2 },
    ]);
  });

  const fieldOf = (described: FormField) =>
    declaredField({
      described,
      name: described.name,
      label: labelOf(described.name),
      siteZone: 'UTC',
      inputs: NO_INPUTS,
    });
  const bodyFor = (described: FormField, value: Value, before?: Value) =>
    bodyOf(
      [fieldOf(described)],
      { [described.name]: value },
      before === undefined ? undefined : { [described.name]: before },
    );

  it('of a new record are sent unless they are the default, or nothing', () => {
    const indoors: FormField = { name: 'indoors', type: 'boolean', default: true };
    expect(bodyFor(indoors, true)).toEqual({});
    expect(bodyFor(indoors, false)).toEqual({ indoors: false });
    expect(bodyFor({ ...indoors, default: undefined, required: true }, false)).toEqual({ indoors: false });
    expect(bodyFor({ ...CONTACT, name: 'contact' }, { name: '', at_door: false })).toEqual({});
    expect(bodyFor({ name: 'colors', type: 'list', items: { type: 'string' } }, [])).toEqual({});
  });

  it('of an old record are sent when they change', () => {
    const colors: FormField = { name: 'colors', type: 'list', items: { type: 'string' } };
    expect(bodyFor(colors, ['red'], ['red'])).toEqual({});
    expect(bodyFor(colors, [], ['red'])).toEqual({ colors: [] });
    expect(bodyFor({ name: 'seats', type: 'integer' }, '', '7')).toEqual({ seats: null });
  });

  it('are checked before they are sent', () => {
    const errors = (described: FormField, value: Value) =>
      check([fieldOf(described)], { [described.name]: value }, undefined, 0).errors[described.name];
    expect(errors({ name: 'dress_code', type: 'string', required: true }, ' ')).toBe(
      'Dress code is missing.',
    );
    expect(errors({ ...CONTACT, name: 'contact', required: true }, { name: '', at_door: false })).toBe(
      'Contact is missing.',
    );
    expect(errors({ name: 'flag', type: 'boolean', required: true }, false)).toBeUndefined();
    expect(errors({ name: 'seats', type: 'integer' }, '1.5')).toBe('This is no whole number.');
    expect(errors({ name: 'price', type: 'number' }, '1.5')).toBeUndefined();
    expect(errors({ name: 'price', type: 'number' }, 'much')).toBe('This is no number, such as 12.5.');
    expect(errors({ name: 'doors', type: 'date' }, 'T10:00')).toBe('The day is missing.');
  });

  it('are named by the path of a part', () => {
    const field = fieldOf({ name: 'contacts', type: 'list', items: CONTACT });
    expect(field.labelAt?.('0.at_door')).toBe('Contacts, 1, At door');
    expect(fieldOf({ ...CONTACT, name: 'contact' }).labelAt?.('name')).toBe('Contact, Name');
  });
});
