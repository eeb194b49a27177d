/** Longest values that requests may bring, in characters (W24); what is stored already may be longer. */
export const MAX_LENGTH = { word: 2_000, title: 10_000, text: 500_000 } as const;

/** Most items of a list in a parameter. */
export const MAX_ITEMS = 1_000;

/** Most values in a JSON body, and most levels that they nest. */
export const MAX_VALUES = 20_000;
export const MAX_LEVELS = 64;

/** Bytes of a body that are read before the sender's right to write is looked at. */
export const SMALL_BODY = 128 * 1024;

/** Bytes that all bodies under way may hold together; past them the server asks senders to come back. */
export const MAX_HELD = 64 * 1024 * 1024;

/** How much longer than a connection stays open without a request its headers may take, in milliseconds. */
export const HEADERS_MARGIN = 5_000;

/** Time for a whole request to arrive, and time that a refused body is still read and dropped, in milliseconds. */
export const ARRIVAL_TIME = 60_000;
export const DROPPING_TIME = 5_000;
