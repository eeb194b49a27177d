/** WordPress's keys and salts, under their own names; needed for login cookies and nonces only. */
export const SECRET_NAMES = [
  'AUTH_KEY',
  'SECURE_AUTH_KEY',
  'LOGGED_IN_KEY',
  'NONCE_KEY',
  'AUTH_SALT',
  'SECURE_AUTH_SALT',
  'LOGGED_IN_SALT',
  'NONCE_SALT',
] as const;

/** Name of one of WordPress's eight secret constants. */
export type SecretName = (typeof SECRET_NAMES)[number];
