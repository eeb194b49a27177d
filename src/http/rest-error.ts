/** An error of the interface: answered as `{code, message, data: {status, …}}` with that HTTP status. */
export class RestError extends Error {
  constructor(
    /** Stable machine code such as `rest_invalid_param`. */
    readonly code: string,
    /** HTTP status, repeated in `data.status`. */
    readonly status: number,
    /** Clear English text that names the parameter or record. */
    message: string,
    /** Further members of `data`. */
    readonly data: Readonly<Record<string, unknown>> = {},
    /** Members beside `data`, such as `additional_data`. */
    readonly extra: Readonly<Record<string, unknown>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  /** The body that is sent. */
  toBody(): Record<string, unknown> {
    return {
      code: this.code,
      message: this.message,
      data: { status: this.status, ...this.data },
      ...this.extra,
    };
  }
}

/** No route for this path and method; also answers a known path with a wrong method, as recorded. */
export function noRoute(): RestError {
  return new RestError('rest_no_route', 404, 'No route was found matching the URL and request method.');
}

/** 401 for nobody, 403 for somebody who may not. */
export function forbidden(user: unknown, message: string, code = 'rest_forbidden'): RestError {
  return new RestError(code, user ? 403 : 401, message);
}

/** One failed parameter; `typed` failures carry their own code in `data.details`. */
export interface ParameterFailure {
  name: string;
  message: string;
  /** Set when the failure carries a code of its own. */
  code?: string;
}

/** 400 `rest_invalid_param` with every failed parameter. */
export function invalidParameters(failures: readonly ParameterFailure[]): RestError {
  const details = Object.fromEntries(
    failures.flatMap(({ name, message, code }) =>
      code
        ? [[name, { code, message, data: code === 'rest_invalid_type' ? { param: name } : { status: 400 } }]]
        : [],
    ),
  );
  return new RestError(
    'rest_invalid_param',
    400,
    `Invalid parameter(s): ${failures.map((f) => f.name).join(', ')}`,
    {
      params: Object.fromEntries(failures.map(({ name, message }) => [name, message])),
      details: Object.keys(details).length > 0 ? details : [],
    },
  );
}
