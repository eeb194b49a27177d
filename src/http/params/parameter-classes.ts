type DtoClass<T extends object> = new () => T;

/** Which class the parameters of a DTO are read by: the DTO itself, or one made of it with what plugins add. */
export abstract class ParameterClasses {
  abstract of<T extends object>(dto: DtoClass<T>): DtoClass<T>;
}
