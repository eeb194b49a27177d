import type { ParameterFailure } from '../../common/errors/rest-exception.js';
import { MAX_ITEMS, MAX_LENGTH } from './limits.js';
import { decodePercent } from './php-parameters.js';
import type { DeclaredArg } from './rest-arg.js';

/** What is too large about a parameter's value, looked at before anything is done with it (W24). */
export function checkParameterSize(arg: DeclaredArg, value: unknown): ParameterFailure | undefined {
  const fault = faultOf(value, arg.maxLength ?? MAX_LENGTH.word, arg.items !== undefined);
  return fault === undefined ? undefined : { name: arg.name, message: `${arg.name} ${fault}` };
}

function faultOf(value: unknown, longest: number, isList: boolean): string | undefined {
  // Filters decode a text once more before they take it apart.
  if (typeof value === 'string' && isList)
    return listFault(decodePercent(value).split(',', MAX_ITEMS + 1), longest);
  if (typeof value === 'string')
    return value.length > longest ? `may hold at most ${longest} characters.` : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  return listFault(Object.values(value), longest);
}

function listFault(items: readonly unknown[], longest: number): string | undefined {
  if (items.length > MAX_ITEMS) return `may hold at most ${MAX_ITEMS} items.`;
  for (const item of items) {
    const fault = faultOf(item, longest, false);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
