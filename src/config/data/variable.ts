/** An environment variable, as in docs/configuration.md. */
export interface Variable<T> {
  name: string;
  /** The value when the variable is absent or empty. */
  default?: string;
  parse: (text: string) => T;
  description: string;
}

/** One with a default; '' counts as absent. */
export const variable = <T>(
  name: string,
  fallback: string,
  parse: (text: string) => T,
  description: string,
): Variable<T> => ({ name, default: fallback, parse, description });

/** One without a default, undefined where it is absent. */
export const optional = <T>(
  name: string,
  parse: (text: string) => T,
  description: string,
): Variable<T | undefined> => ({ name, parse, description });
