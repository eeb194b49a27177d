/** Headers that authenticate the caller. */
export type Credentials = Readonly<Record<string, string>>;

/**
 * Credentials, or a function called before each request that returns them; nothing is stored. After a response 401 it is
 * called again, with the rejected credentials: if it returns others, the request is sent once more.
 */
export type Auth =
  | Credentials
  | ((rejected?: Credentials) => Credentials | undefined | Promise<Credentials | undefined>);

/** A token, or a function that returns one: after a response 401 it gets the rejected one, to renew it. */
export type Token = string | ((rejected?: string) => string | undefined | Promise<string | undefined>);

/** Signs in by user name and application password, which may be written with its blanks. Use it over HTTPS only. */
export function applicationPassword(user: string, password: string): Credentials {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return { Authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

/** Signs in by a bearer token, such as an access token of an OpenID Connect issuer. Use it over HTTPS only. */
export function bearer(token: Token): Auth {
  const toCredentials = (text: string): Credentials => ({ Authorization: `Bearer ${text}` });
  if (typeof token === 'string') return toCredentials(token);
  return async (rejected) => {
    const text = await token(rejected?.['Authorization']?.replace(/^Bearer /, ''));
    return text === undefined ? undefined : toCredentials(text);
  };
}

/** Signs in by a key of `almanac api-key create`. Use it over HTTPS only. */
export function apiKey(key: string): Credentials {
  return { Authorization: `Bearer ${key}` };
}

/** Goes with WordPress's login cookie, which the browser sends to its own site. */
export function nonce(value: string): Credentials {
  return { 'X-WP-Nonce': value };
}
