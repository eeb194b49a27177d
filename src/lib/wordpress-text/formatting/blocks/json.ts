import { hash } from 'node:crypto';
import { serialize, toPhp } from '../../php-serialize.js';
import { asPhpJson } from '../as-php-json.js';

/** A JSON value of a block comment. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object of a block comment. */
export interface JsonObject {
  [key: string]: Json;
}

/** Whether a JSON value is an object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of keys inside JSON; undefined when any step is missing. */
export function jsonAt(value: Json | undefined, ...path: string[]): Json | undefined {
  let current = value;
  for (const key of path)
    current = isObject(current) && Object.hasOwn(current, key) ? current[key] : undefined;
  return current;
}

/** The text at a path of keys inside JSON; undefined when there is none. */
export function textAt(value: Json | undefined, ...path: string[]): string | undefined {
  const found = jsonAt(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

/** The MD5 of a value as PHP's `serialize()` writes it, in hex. */
export function serializedMd5(value: Json): string {
  return hash('md5', serialize(toPhp(value)));
}

/** The MD5 of a value as PHP's `json_encode()` writes it (escaped slashes, ASCII only), in hex. */
export function jsonMd5(value: Json): string {
  return hash('md5', asPhpJson(JSON.stringify(emptyObjectsAsLists(value))));
}

/** PHP decodes `{}` to an empty array and encodes that as `[]`. */
function emptyObjectsAsLists(value: Json): Json {
  if (Array.isArray(value)) return value.map(emptyObjectsAsLists);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, emptyObjectsAsLists(item)]);
  return entries.length === 0 ? [] : Object.fromEntries(entries);
}
