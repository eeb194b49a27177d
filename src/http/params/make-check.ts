import { ValidateBy, type ValidationOptions } from 'class-validator';

/** The group of class-validator whose checks run on values as they were sent; others run on parsed values. */
export const RAW_CHECKS = 'check';

/**
 * Checks a value: true, false, or an error message that follows the parameter's name. `getContext(values)` is the request's
 * context.
 */
export type CheckFunction = (value: unknown, values: object) => CheckResult | Promise<CheckResult>;

type CheckResult = boolean | string;

/** The JSON Schema of a check, one of its constraints, for `/openapi.json`. */
export class CheckSchema {
  constructor(readonly schema: Readonly<Record<string, unknown>>) {}
}

/**
 * Makes a class-validator decorator that checks a raw parameter. `message` follows the parameter's name where the check
 * returns false; `context` may hold an error code. `schema` is what JSON Schema can express of it.
 */
export function makeCheck(
  name: string,
  message: string,
  check: CheckFunction,
  schema: CheckSchema['schema'] = {},
): (options?: ValidationOptions) => PropertyDecorator {
  return (options) => {
    const messages = new WeakMap<object, string>();
    const isValid = (result: CheckResult, values: object): boolean => {
      if (typeof result === 'string') messages.set(values, result);
      return result === true;
    };
    return ValidateBy(
      {
        name,
        constraints: [new CheckSchema(schema)],
        validator: {
          validate(value, args) {
            const values = args?.object ?? {};
            const result = check(value, values);
            return result instanceof Promise
              ? result.then((later) => isValid(later, values))
              : isValid(result, values);
          },
          defaultMessage: (args) => `$property ${messages.get(args?.object ?? {}) ?? message}`,
        },
      },
      { groups: [RAW_CHECKS], ...options },
    );
  };
}
