type DtoClass<T extends object> = new () => T;

/** The class that declares the parameters of a DTO: the DTO itself, or a subclass with the parameters of plugins. */
export abstract class ParameterClasses {
  abstract of<T extends object>(dto: DtoClass<T>): DtoClass<T>;
}
