/** Finds the services of an application: Nest's context of it, or a `ModuleRef` that looks in all modules. */
export interface Services {
  get<T>(type: abstract new (...args: never[]) => T): T;
}
