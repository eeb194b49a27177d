import 'reflect-metadata';

const EXAMPLE = 'almanac:example';

/** Says of the class of a body with which few fields somebody may begin; sent as it is, it is taken. */
export const BodyExample =
  (example: Readonly<Record<string, unknown>>): ClassDecorator =>
  (dto) => {
    Reflect.defineMetadata(EXAMPLE, example, dto);
  };

/** The example of a class, or of what it extends. */
export function bodyExampleOf(dto: object): unknown {
  return Reflect.getMetadata(EXAMPLE, dto);
}
