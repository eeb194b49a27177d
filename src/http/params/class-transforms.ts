import { createRequire } from 'node:module';
import { plainToInstance, TransformationType, type TransformFnParams } from 'class-transformer';
import type { MetadataStorage } from 'class-transformer/types/MetadataStorage.js';
import type { DtoClass } from './check-context.js';

type Values = Record<string, unknown>;

/** The functions of class-transformer's `Transform` decorators of one property, in the order in which they run. */
interface PropertyTransforms {
  property: string;
  functions: readonly ((params: TransformFnParams) => unknown)[];
}

const load = createRequire(import.meta.url);
// The one storage of a process, which all decorators write to.
const { defaultMetadataStorage: storage }: { defaultMetadataStorage: MetadataStorage } = load(
  'class-transformer/cjs/storage.js',
);
const { defaultOptions: options }: { defaultOptions: TransformFnParams['options'] } = load(
  'class-transformer/cjs/constants/default-options.constant.js',
);
const { PLAIN_TO_CLASS } = TransformationType;

// class-transformer searches its storage for each property of each call: a sixth of the CPU of a new list (docs/performance.md).
const transformsByClass = new WeakMap<DtoClass, readonly PropertyTransforms[] | null>();

/** Makes an instance of scalar values as `plainToInstance` does; `names`: all declared names, sent or not. */
export function toInstance<T extends object>(type: DtoClass<T>, values: Values, names: readonly string[]): T {
  const cached = transformsByClass.get(type);
  const transforms = cached === undefined ? findTransforms(type, names) : cached;
  if (cached === undefined) transformsByClass.set(type, transforms);
  if (transforms === null) {
    // `plainToInstance` skips names that are absent.
    for (const name of names) if (!Object.hasOwn(values, name)) values[name] = undefined;
    return plainToInstance(type, values);
  }
  const instance = new type();
  for (const { property, functions } of transforms) {
    let value = values[property];
    for (const transform of functions)
      value = transform({ value, key: property, obj: values, type: PLAIN_TO_CLASS, options });
    (instance as Values)[property] = value;
  }
  return instance;
}

/** Null where a class uses more of class-transformer: types, groups, exposed or excluded properties, names of methods. */
function findTransforms(type: DtoClass, names: readonly string[]): PropertyTransforms[] | null {
  const hasExposure =
    storage.getStrategy(type) !== 'none' ||
    storage.getExposedMetadatas(type).length > 0 ||
    storage.getExcludedMetadatas(type).length > 0;
  const isSpecial = (name: string) =>
    name === 'constructor' ||
    name === '__proto__' ||
    name in type.prototype ||
    storage.findTypeMetadata(type, name) !== undefined;
  if (hasExposure || names.some(isSpecial)) return null;
  return names.map((property) => ({
    property,
    functions: storage
      .findTransformMetadatas(type, property, PLAIN_TO_CLASS)
      .filter((one) => !one.options?.groups?.length)
      .map(({ transformFn }) => transformFn),
  }));
}
