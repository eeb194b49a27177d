import 'reflect-metadata';

const EXAMPLE = 'almanac:example';

/** Declares a short valid example of a body on its class. */
export const BodyExample =
  (example: Readonly<Record<string, unknown>>): ClassDecorator =>
  (dto) => {
    Reflect.defineMetadata(EXAMPLE, example, dto);
  };

/** The example of a class, possibly inherited. */
export function bodyExampleOf(dto: object): unknown {
  return Reflect.getMetadata(EXAMPLE, dto);
}
