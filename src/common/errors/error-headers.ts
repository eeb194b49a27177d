type Headers = Readonly<Record<string, string>>;

const headersOf = new WeakMap<object, Headers>();

/** Attaches headers to the body of an error response, the only part that third-party filters pass on. */
export function setErrorHeaders(body: object, headers: Headers): void {
  headersOf.set(body, headers);
}

/** The headers attached to a body. */
export function errorHeaders(body: unknown): Headers {
  return headersOf.get(Object(body)) ?? {};
}
