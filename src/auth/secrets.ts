import type { SecretName } from '../config/data/variables.js';
import type { Environment } from '../config/env.js';

/** What a secret protects: the three kinds of login cookie, and nonces. */
export type SecretScheme = 'auth' | 'secure_auth' | 'logged_in' | 'nonce';

/** wp-config.php's eight constants, as far as they are known. */
type SecretConstants = Environment['secrets'];

const SAMPLE_PHRASE = 'put your unique phrase here';

/**
 * Key and salt of a scheme, concatenated. A constant that is missing, the sample phrase or shared by two constants gives
 * way to the stored option `{scheme}_key` or `{scheme}_salt`; undefined when there is no option either.
 */
export function secretOf(
  scheme: SecretScheme,
  constants: SecretConstants,
  stored: ReadonlyMap<string, string>,
): string | undefined {
  const part = (name: string) => usable(constants, name.toUpperCase() as SecretName) || stored.get(name);
  const key = part(`${scheme}_key`);
  const salt = part(`${scheme}_salt`);
  return key && salt ? key + salt : undefined;
}

function usable(constants: SecretConstants, name: SecretName): string | undefined {
  const value = constants[name];
  const shared = Object.values(constants).filter((other) => other === value).length > 1;
  return !value || value === SAMPLE_PHRASE || shared ? undefined : value;
}
