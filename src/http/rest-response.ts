import { StreamableFile } from '@nestjs/common';
import { getStore } from '../common/context/request-store.js';

/**
 * What a handler returns: a body with a status and headers of its own.
 *
 * A response takes four shapes: the plain value that most handlers return (with headers by `withHeaders`), a
 * `RestResponse`, the `SerializedResponse` that `serializeResponse` makes of either, and the `CachedResponse` that the
 * response cache makes of that. It is a StreamableFile so that interceptors of plugins leave it alone.
 */
export class RestResponse extends StreamableFile {
  constructor(
    readonly body: unknown,
    readonly status = 200,
    readonly headers: Readonly<Record<string, string | number>> = {},
    /** The text of a body that is no JSON, whose type stands in the headers; each chunk made by `inUtf8`. */
    readonly chunks?: readonly string[],
  ) {
    super(new Uint8Array());
  }

  /** A response that is no JSON. */
  static ofText(
    type: string,
    chunks: readonly string[],
    headers: RestResponse['headers'] = {},
  ): RestResponse {
    return new RestResponse(undefined, 200, { 'Content-Type': type, ...headers }, chunks);
  }
}

/** The parts of a response before it is serialized. */
export type ResponseParts = Pick<RestResponse, 'body' | 'status' | 'headers' | 'chunks'>;

/** Sets response headers for a body that other interceptors may copy or replace. */
export function withHeaders<T>(body: T, headers: RestResponse['headers']): T {
  const request = getStore()?.request;
  if (request) request.headers = headers;
  return body;
}
