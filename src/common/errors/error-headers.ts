type Headers = Readonly<Record<string, string>>;

const beside = new WeakMap<object, Headers>();

/** Notes headers beside the body of an error's answer, which is all of it that filters of anybody pass on. */
export function setErrorHeaders(body: object, headers: Headers): void {
  beside.set(body, headers);
}

/** The headers that were noted beside a body. */
export function errorHeaders(body: unknown): Headers {
  return beside.get(Object(body)) ?? {};
}
