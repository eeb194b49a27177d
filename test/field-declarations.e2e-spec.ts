import { VENUE } from 'almanac';
import { StartError } from '../src/database/start-error.js';
import type { DeclaredField, DeclaredFields } from '../src/resources/base/declared-field.js';
import { ResourceModule } from '../src/resources/base/resource.module.js';
import { VenuesModule } from '../src/resources/venues/venues.module.js';
import { startTestServer } from '../src/testing.js';

const field = (options: object): DeclaredFields => ({
  stage: { meta: '_stage', description: 'Where the stage is.', ...options } as DeclaredField,
});
const of = (type: string, options: object = {}) => field({ type, ...options });
const nested = (value: object) => of('object', { properties: { part: value } });

/** Objects inside each other, so many levels deep. */
const deep = (levels: number): object =>
  levels === 0 ? { type: 'string' } : { type: 'object', properties: { inner: deep(levels - 1) } };

describe('an invalid declaration of a typed field stops the start', () => {
  it.each<[DeclaredFields, string]>([
    [of('enum'), 'values must be a list of texts without commas and blanks around them'],
    [of('enum', { values: [] }), 'values must be a list of texts without commas and blanks around them'],
    [of('enum', { values: ['a,b'] }), 'values must be a list of texts without commas and blanks around them'],
    [of('enum', { values: [5] }), 'values must be a list of texts without commas and blanks around them'],
    [of('string', { values: ['a'] }), 'values goes with another type than string'],
    [of('date', { zone: 'Berlin' }), 'zone must be the name of a time zone, not Berlin'],
    [of('date', { zone: '+02:00' }), 'zone must be the name of a time zone, not +02:00'],
    [of('reference'), 'to must be a resource'],
    [of('object'), 'properties must declare the members of the object'],
    [of('object', { properties: {} }), 'properties must declare the members of the object'],
    [of('list'), 'items must declare the items of the list'],
    [of('list', { items: { type: 'list', items: {} } }), 'lists hold no lists: put them into objects'],
    [of('list', { items: {}, maxItems: 0 }), 'maxItems must be a whole number from 1 to 1000'],
    [
      of('constructor'),
      'type must be one of string, integer, number, boolean, date, enum, reference, object, list, not constructor',
    ],
    [
      nested({ type: 'flaot' }),
      'part: type must be one of string, integer, number, boolean, date, enum, reference, object, list, not flaot',
    ],
    [nested({ meta: '_part' }), 'part: meta goes with another type than string'],
    [
      nested({ type: 'object', properties: { 'a b': {} } }),
      'part: a b: a name begins with a small letter and holds letters, digits and _',
    ],
    [
      of('object', { properties: { __proto__x: {} } }),
      '__proto__x: a name begins with a small letter and holds letters, digits and _',
    ],
    [field(deep(6)), 'inner: inner: inner: inner: inner: objects and lists have at most 5 levels'],
    [of('string', { filter: 'range' }), 'a filter by range needs one of the types integer, number, date'],
    [of('string', { filter: 'yes' }), 'filter must be true, false or range'],
    [of('object', { properties: { a: {} }, filter: true }), 'objects are no filter'],
    [of('list', { items: { type: 'object', properties: { a: {} } }, filter: true }), 'objects are no filter'],
    [
      of('boolean', { unique: true }),
      'unique needs one of the types string, integer, number, date, reference',
    ],
    [of('string', { unique: true, default: 'a' }), 'default goes with neither required nor unique'],
    [of('string', { required: true, default: 'a' }), 'default goes with neither required nor unique'],
    [of('integer', { default: 'five' }), 'default is no integer of the field'],
    [of('enum', { values: ['a'], default: 'b' }), 'default is no enum of the field'],
    [
      of('date', { default: '2030-01-01' }),
      'default needs one of the types string, integer, number, boolean, enum',
    ],
    [field({ title: 5 }), 'title must be a text'],
    [field({ order: 'first' }), 'order must be a number'],
    [
      {
        ...of('integer', { filter: 'range' }),
        min_stage: { meta: '_min', type: 'string', description: 'M.', filter: true },
      },
      'the venue already has a member of that name',
    ],
  ])('%o', async (fields, message) => {
    const plugin = {
      module: class Odd {},
      imports: [VenuesModule, ResourceModule.withFields(VENUE, fields)],
    };
    const name = message.startsWith('the venue') ? 'min_stage' : 'stage';
    await expect(startTestServer({ plugins: [plugin] })).rejects.toEqual(
      new StartError(`The field ${name} cannot be declared: ${message}.`),
    );
  });
});
