import { hash } from 'node:crypto';

/** Entity tags of response bodies, by the body that a handler returns. */
const tags = new WeakMap<object, string>();

/** Sets the `ETag` of a response whose body is this object; without a tag the object stays as it is. */
export function withEntityTag<T extends object>(body: T, tag: string | undefined): T {
  if (tag !== undefined) tags.set(body, tag);
  return body;
}

/** The `ETag` header of a body, in quotes. */
export function entityTagHeader(body: unknown): { ETag?: string } {
  const tag = tags.get(Object(body));
  return tag === undefined ? {} : { ETag: `"${tag}"` };
}

/**
 * The opaque tag of a record in this state: 27 characters, as of cached responses. It is for callers who may see all of the
 * state, as others could try what they guess of it.
 */
export function entityTagOf(state: unknown): string {
  return hash('sha1', JSON.stringify(state), 'base64url');
}
