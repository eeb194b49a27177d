import { InvalidArgumentError } from 'commander';
import { InvalidValue } from '../config/parse-variable.js';

/** Parses an option like an environment variable. */
export function optionValue<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw error instanceof InvalidValue ? new InvalidArgumentError(`It ${error.message}.`) : error;
    }
  };
}
