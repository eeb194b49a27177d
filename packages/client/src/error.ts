/** What the server refused, or that what answered was no calendar. */
export class AlmanacError extends Error {
  override readonly name = 'AlmanacError';

  constructor(
    message: string,
    /** The HTTP status; 0 of a redirect in a browser, which shows no more of it. */
    readonly status: number,
    /** `rest_invalid_param` and the like, as docs/behaviour/errors.md lists them; `no_json` of what was none, `no_calendar` of other JSON. */
    readonly code: string,
    /** What is wrong with which parameter, by name. */
    readonly params: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** An answer that says no as an error; `body` is its JSON, or its text where that is none. */
export function toError({ status }: Response, body: unknown): AlmanacError {
  const { code, message, data } = membersOf(body);
  if (typeof code !== 'string')
    return new AlmanacError(`Answered ${status} without JSON.`, status, 'no_json');
  return new AlmanacError(String(message ?? code), status, code, toParams(membersOf(data)['params']));
}

/** Something else answers at this address. */
export function noCalendar(): AlmanacError {
  return new AlmanacError('What answered was no calendar.', 200, 'no_calendar');
}

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** Missing parameters come as a list of names, others with what is wrong. */
function toParams(params: unknown): Record<string, string> {
  if (Array.isArray(params)) return Object.fromEntries(params.map((name) => [String(name), 'Missing.']));
  return Object.fromEntries(Object.entries(membersOf(params)).map(([name, text]) => [name, String(text)]));
}
