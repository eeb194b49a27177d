/** Headers that authenticate the caller. */
export type Credentials = Readonly<Record<string, string>>;

/** Credentials, or a function called before each request that returns them; nothing is stored. */
export type Auth = Credentials | (() => Credentials | undefined | Promise<Credentials | undefined>);

/** Signs in by user name and application password, which may be written with its blanks. Use it over HTTPS only. */
export function applicationPassword(user: string, password: string): Credentials {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return { Authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

/** Goes with WordPress's login cookie, which the browser sends to its own site. */
export function nonce(value: string): Credentials {
  return { 'X-WP-Nonce': value };
}
