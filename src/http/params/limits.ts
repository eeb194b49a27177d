/** Maximum characters of values in requests (W24); stored values may be longer. */
export const MAX_LENGTH = { word: 2_000, title: 10_000, text: 500_000 } as const;

/** Maximum items of a list in a parameter. */
export const MAX_ITEMS = 1_000;

/** Maximum values in a JSON body, and levels of nesting. */
export const MAX_VALUES = 20_000;
export const MAX_LEVELS = 64;

/** Bytes of a body that are read before the user's right to write is checked. */
export const SMALL_BODY = 128 * 1024;

/** Maximum bytes of an uploaded file with its form, whatever `BODY_LIMIT`. */
export const MAX_UPLOAD = 10 * 1024 * 1024;

/** Maximum bytes of all bodies in transit; above it the server responds 503. */
export const MAX_HELD = 64 * 1024 * 1024;

/** Time for headers beyond the keep-alive timeout, in milliseconds. */
export const HEADERS_MARGIN = 5_000;

/** Timeouts of a whole request, and of draining a rejected body, in milliseconds. */
export const ARRIVAL_TIME = 60_000;
export const DROPPING_TIME = 5_000;
