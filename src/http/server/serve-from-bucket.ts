import { basename, extname } from 'node:path/posix';
import { pipeline } from 'node:stream/promises';
import type { NextFunction, Request, Response } from 'express';
import { RestException } from '../../common/errors/rest-exception.js';
import { mimeTypeOf } from '../../wordpress/media/image-type.js';
import type { ObjectRequest, S3Bucket } from '../../wordpress/media/s3/s3-bucket.service.js';

/** One part of a file; several in one request are ignored. */
const ONE_RANGE = /^bytes=(?:\d+-\d*|-\d+)$/;

/** Streams an image of the bucket with these headers and the type of its name; a missing one is passed on. */
export async function serveFromBucket(
  bucket: S3Bucket,
  file: string,
  { request, response, next }: { request: Request; response: Response; next: NextFunction },
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const name = basename(file);
  // No keys of uploads.
  if (name.startsWith('.') || /\p{Cc}/u.test(name)) return next();
  try {
    const found = await bucket.get(file, objectRequest(request));
    if (found === undefined) return next();
    response.status(found.status).set({ ...headers, ...found.headers, 'Accept-Ranges': 'bytes' });
    response.set('Cache-Control', 'public, max-age=86400');
    if (!found.body) return void response.end();
    response.set('Content-Type', mimeTypeOf(extname(name).slice(1)));
    if (request.method === 'HEAD') {
      found.body.destroy();
      return void response.end();
    }
    // An error here ends the connection, so that the client notices the missing part; so does the client's end.
    await pipeline(found.body, response).catch(() => undefined);
  } catch (error) {
    if (!(error instanceof RestException)) return next(error);
    if (error.kind === 'busy') response.set('Retry-After', '1');
    response
      .status(error.getStatus())
      .set('Cache-Control', 'no-store')
      .type('text/plain')
      .send(error.message);
  }
}

/** The conditions of a request; a part is sent only without `If-Range`, as the whole is always allowed. */
function objectRequest({ headers, method }: Request): ObjectRequest {
  const { range } = headers;
  const modified = dateOf(headers['if-modified-since']);
  const unmodified = dateOf(headers['if-unmodified-since']);
  return {
    ...(method === 'GET' && range && ONE_RANGE.test(range) && !headers['if-range'] && { Range: range }),
    ...(headers['if-match'] && { IfMatch: headers['if-match'] }),
    ...(headers['if-none-match'] && { IfNoneMatch: headers['if-none-match'] }),
    ...(modified && { IfModifiedSince: modified }),
    ...(unmodified && { IfUnmodifiedSince: unmodified }),
  };
}

function dateOf(text: string | undefined): Date | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : new Date(time);
}
