import { Ajv2020 } from 'ajv/dist/2020.js';
import { FieldRegistry } from '../../src/resources/base/field-registry.js';
import { recordSchemas } from '../../src/resources/base/json-schema.js';
import { Member, membersOf } from '../../src/resources/base/member.js';
import { normalizeRecord } from '../../src/resources/base/normalized-format.service.js';
import { normalizedSchemas } from '../../src/resources/base/normalized-schema.js';
import type { Resource } from '../../src/resources/base/resource.js';

/** As a plugin may declare it: no more than has to be said. */
class ThingJson {
  @Member({ type: 'integer', visibleWhenLocked: true }) id: number;
  @Member({ type: 'array' }) words: string[];
  @Member() anything: unknown;
  @Member({ type: 'object', optional: true }) map?: object;
  @Member({ optional: true }) note?: string;
}

const THING = {
  kind: 'post',
  type: 'thing',
  singular: 'thing',
  plural: 'things',
  json: ThingJson,
} as Partial<Resource> as Resource;

describe('the schemas of a record that declares little of its members', () => {
  it('validate its clean form, whatever is in it or missing', () => {
    const schemas = normalizedSchemas([THING], new FieldRegistry());
    const validate = new Ajv2020({ strict: false }).compile(schemas['CleanThing'] ?? {});
    const tools = { members: membersOf, zone: 'UTC' };
    for (const thing of [
      { id: 1, words: ['a'], anything: 'text', map: { a: 1 }, note: 'b' },
      { id: 2, words: [{ a: 1 }], anything: [1] },
      { id: 3, words: [], anything: null },
    ]) {
      validate(normalizeRecord(ThingJson, thing, tools));
      expect(validate.errors).toBeNull();
    }
  });

  it('declare the items of each list, if only as anything', () => {
    const plain = recordSchemas([THING], new FieldRegistry())['Thing'];
    expect(plain).toMatchObject({ properties: { words: { type: 'array', items: {} } } });
  });
});
