import type { ParameterFailure } from '../../common/errors/rest-exception.js';
import { MAX_ITEMS, MAX_LENGTH } from './limits.js';
import { decodePercent } from './php-parameters.js';
import type { DeclaredArg } from './rest-arg.js';

/** Checks the size of a parameter's value before any other use of it (W24). */
export function checkParameterSize(arg: DeclaredArg, value: unknown): ParameterFailure | undefined {
  const fault = faultOf(value, arg.maxLength ?? MAX_LENGTH.word, arg.items !== undefined);
  return fault === undefined ? undefined : { name: arg.name, message: `${arg.name} ${fault}` };
}

function faultOf(value: unknown, maxLength: number, isList: boolean): string | undefined {
  // Filters decode a text once more before they split it.
  if (typeof value === 'string' && isList)
    return listFault(decodePercent(value).split(',', MAX_ITEMS + 1), maxLength);
  if (typeof value === 'string')
    return value.length > maxLength ? `may hold at most ${maxLength} characters.` : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  return listFault(Object.values(value), maxLength);
}

function listFault(items: readonly unknown[], maxLength: number): string | undefined {
  if (items.length > MAX_ITEMS) return `may hold at most ${MAX_ITEMS} items.`;
  for (const item of items) {
    const fault = faultOf(item, maxLength, false);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
