import { isTruthy, type PhpValue } from '../php-serialize.js';

/** Whether a flag is set: `1 true yes on y enable enabled`, ignoring case; other types as PHP casts them. */
export function isTruthyWord(value: unknown): boolean {
  if (typeof value === 'string') return /^(1|true|yes|on|y|enable|enabled)$/i.test(value);
  return isTruthy(value as PhpValue);
}
