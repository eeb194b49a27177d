import type { SecretName } from '../config/data/variables.js';
import type { Environment } from '../config/env.js';

/** The scheme of a secret: three kinds of login cookie, and nonces. */
export type SecretScheme = 'auth' | 'secure_auth' | 'logged_in' | 'nonce';

/** The eight constants of wp-config.php, as far as configured. */
type SecretConstants = Environment['secrets'];

const SAMPLE_PHRASE = 'put your unique phrase here';

/**
 * The concatenated key and salt of a scheme. The stored option `{scheme}_key` or `{scheme}_salt` replaces a constant that
 * is missing, the sample phrase or used twice; undefined without either.
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
