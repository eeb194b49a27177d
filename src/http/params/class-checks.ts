import type { ValidatorConstraintInterface, ValidatorOptions } from 'class-validator';
import { getMetadataStorage, ValidationTypes } from './class-validator.js';

/** What class-validator asks of one property in one round. */
interface PropertyChecks {
  property: string;
  checks: readonly { validator: ValidatorConstraintInterface; constraints: unknown[] }[];
  /** Whether only class-validator itself can tell: lists, nested values, conditions. */
  isOther: boolean;
  /** Whether it is asked of what was not sent, too. */
  isAlways: boolean;
}

// class-validator looks through all classes that there are, each time; what decorators say of one never changes.
const found = new WeakMap<ValidatorOptions, WeakMap<object, readonly PropertyChecks[]>>();

/**
 * Whether class-validator would find nothing wrong: the same checks of the same values, in the same order. False also where
 * it has to be asked itself. `options` is one of a few objects that live as long as the program.
 */
export function passesChecks(values: object, options: ValidatorOptions): boolean | Promise<boolean> {
  const pending: Promise<boolean>[] = [];
  let passes = true;
  for (const { property, checks, isOther, isAlways } of checksOf(values.constructor, options)) {
    const value = (values as Record<string, unknown>)[property];
    if (isAlways) passes = false;
    if (value === undefined || (value === null && options.skipMissingProperties)) continue;
    if (isOther) passes = false;
    for (const { validator, constraints } of checks) {
      const { name: targetName } = values.constructor;
      const verdict = validator.validate(value, { targetName, property, object: values, value, constraints });
      if (typeof verdict === 'object' && verdict !== null) pending.push(verdict);
      else if (!verdict) {
        passes = false;
        break;
      }
    }
  }
  if (pending.length === 0) return passes;
  return Promise.all(pending).then((verdicts) => passes && verdicts.every(Boolean));
}

function checksOf(type: object, options: ValidatorOptions): readonly PropertyChecks[] {
  const ofRound = found.get(options) ?? new WeakMap<object, readonly PropertyChecks[]>();
  found.set(options, ofRound);
  const known = ofRound.get(type) ?? findChecks(type, options);
  ofRound.set(type, known);
  return known;
}

function findChecks(type: object, { groups, strictGroups = false }: ValidatorOptions): PropertyChecks[] {
  const storage = getMetadataStorage();
  const all = storage.getTargetValidationMetadatas(type as never, '', false, strictGroups, groups);
  return Object.entries(storage.groupByPropertyName(all)).map(([property, declared]) => {
    const asked = declared.filter((one) => one.type !== ValidationTypes.WHITELIST);
    const plain = asked.filter(
      (one) => one.type === ValidationTypes.CUSTOM_VALIDATION && !one.each && !one.validateIf,
    );
    const isOther = plain.length < asked.length;
    return {
      property,
      isOther,
      isAlways: asked.some((one) => one.type === ValidationTypes.IS_DEFINED),
      checks: (isOther ? [] : plain).flatMap(({ constraintCls, constraints }) =>
        storage
          .getTargetValidatorConstraints(constraintCls)
          .map(({ instance }) => ({ validator: instance, constraints })),
      ),
    };
  });
}
