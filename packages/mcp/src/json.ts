/** An object of parsed JSON. */
export type JsonObject = { [name: string]: unknown };

/** The value as an object; an empty one for anything else. */
export const toObject = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

/** The value as a list; an empty one for anything else. */
export const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
