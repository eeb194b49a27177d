import { createRequire } from 'node:module';
import { plainToInstance, TransformationType, type TransformFnParams } from 'class-transformer';
import type { MetadataStorage } from 'class-transformer/types/MetadataStorage.js';

type Values = Record<string, unknown>;
type DtoClass<T extends object = object> = new () => T;

/** What class-transformer's `Transform` decorators say of one property, in the order in which it applies them. */
interface PropertyTransforms {
  property: string;
  functions: readonly ((params: TransformFnParams) => unknown)[];
}

const part = createRequire(import.meta.url);
// What decorators said, whoever loaded them: there is one in a process.
const { defaultMetadataStorage: storage }: { defaultMetadataStorage: MetadataStorage } = part(
  'class-transformer/cjs/storage.js',
);
/** What functions are told where nothing is said. */
const { defaultOptions: options }: { defaultOptions: TransformFnParams['options'] } = part(
  'class-transformer/cjs/constants/default-options.constant.js',
);
const { PLAIN_TO_CLASS } = TransformationType;

// class-transformer looks all decorators of a property up, each time; what they say of a class never changes.
const found = new WeakMap<DtoClass, readonly PropertyTransforms[] | null>();

/**
 * What class-transformer makes of scalars: an instance of the class. `names` are those of all values, sent or not, the same ones each
 * time that a class is given.
 */
export function toInstance<T extends object>(type: DtoClass<T>, values: Values, names: readonly string[]): T {
  const known = found.get(type);
  const transforms = known === undefined ? findTransforms(type, names) : known;
  if (known === undefined) found.set(type, transforms);
  if (transforms === null) {
    // It makes nothing of what is not there.
    for (const name of names) if (!Object.hasOwn(values, name)) values[name] = undefined;
    return plainToInstance(type, values);
  }
  const made = new type();
  for (const { property, functions } of transforms) {
    let value = values[property];
    for (const transform of functions)
      value = transform({ value, key: property, obj: values, type: PLAIN_TO_CLASS, options });
    (made as Values)[property] = value;
  }
  return made;
}

/** Null where only class-transformer itself can tell: types, names and exposure of properties, methods that they would replace. */
function findTransforms(type: DtoClass, names: readonly string[]): PropertyTransforms[] | null {
  const isChosen =
    storage.getStrategy(type) !== 'none' ||
    storage.getExposedMetadatas(type).length > 0 ||
    storage.getExcludedMetadatas(type).length > 0;
  const isOther = (name: string) =>
    name === 'constructor' ||
    name === '__proto__' ||
    name in type.prototype ||
    storage.findTypeMetadata(type, name) !== undefined;
  if (isChosen || names.some(isOther)) return null;
  return names.map((property) => ({
    property,
    functions: storage
      .findTransformMetadatas(type, property, PLAIN_TO_CLASS)
      .filter((one) => !one.options?.groups?.length)
      .map(({ transformFn }) => transformFn),
  }));
}
