import type { ValidationOptions } from 'class-validator';
import { ValidateBy } from './class-validator.js';

/** Groups of class-validator: what is checked of a value as it was sent, and the round of declared types. */
export const VALIDATION_PHASE = { check: 'check', type: 'type' } as const;

/**
 * Says of a value whether it will do: true, false, or what is wrong with it, in words that follow the parameter's name.
 * `values` is the object that it was sent in, whose `contextOf` says who asks.
 */
export type CheckFunction = (value: unknown, values: object) => CheckResult | Promise<CheckResult>;

type CheckResult = boolean | string;

/** What a check says of a value in JSON Schema; it stands among the check's constraints, where the documents find it. */
export class CheckSchema {
  constructor(readonly schema: Readonly<Record<string, unknown>>) {}
}

/**
 * Makes a decorator of class-validator that judges a parameter as it was sent, in the first round. `message` follows the
 * parameter's name where the judge says no more than false; a failure with a code of its own has it in `context`. `schema`
 * is as much of it as JSON Schema can say.
 */
export function makeCheck(
  name: string,
  message: string,
  judge: CheckFunction,
  schema: CheckSchema['schema'] = {},
): (options?: ValidationOptions) => PropertyDecorator {
  return (options) => {
    const found = new WeakMap<object, string>();
    // What `passesChecks` refuses is shown to class-validator, which words it: a judge is asked once.
    const judged = new WeakMap<
      object,
      { property?: string; value: unknown; verdict: ReturnType<CheckFunction> }
    >();
    const verdictOn = (value: unknown, values: object, property?: string) => {
      const known = judged.get(values);
      if (known && known.property === property && known.value === value) return known.verdict;
      const verdict = judge(value, values);
      judged.set(values, { property, value, verdict });
      return verdict;
    };
    const passes = (verdict: CheckResult, values: object): boolean => {
      if (typeof verdict === 'string') found.set(values, verdict);
      return verdict === true;
    };
    return ValidateBy(
      {
        name,
        constraints: [new CheckSchema(schema)],
        validator: {
          validate(value, args) {
            const values = args?.object ?? {};
            const verdict = verdictOn(value, values, args?.property);
            return verdict instanceof Promise
              ? verdict.then((later) => passes(later, values))
              : passes(verdict, values);
          },
          defaultMessage: (args) => `$property ${found.get(args?.object ?? {}) ?? message}`,
        },
      },
      { groups: [VALIDATION_PHASE.check], ...options },
    );
  };
}
