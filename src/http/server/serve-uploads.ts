import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Environment } from '../../config/env.js';
import type { S3Bucket } from '../../wordpress/media/s3/s3-bucket.service.js';
import { siteUploadsUrl } from '../../wordpress/options/read-settings.js';
import type { SettingsService } from '../../wordpress/options/settings.service.js';
import { serveFromBucket } from './serve-from-bucket.js';

const IMAGE = /\.(?:jpe?g|jpe|png|gif|webp|avif)$/i;
/** The folders in which WordPress stores uploads; plugins keep private files in others. */
const STORED_PATH = /^(?:\d{4}\/\d\d\/)?[^/\\]+$/;
/** How long browsers keep an image, in milliseconds; a site may make its copies anew under the same names. */
const MAX_AGE_MS = 86_400_000;

const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Serves images of the uploads, a folder or a bucket, at the site's own address; everything else is passed on. */
export function serveUploads(env: Environment, settings: SettingsService, bucket: S3Bucket): RequestHandler {
  const { uploadsDir: root } = env;
  const isOn = root !== undefined || bucket.isConfigured;
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const [path = ''] = request.url.split('?', 1);
    if (!isOn || !/^(?:GET|HEAD)$/.test(request.method) || !IMAGE.test(path)) return next();
    const uploadsUrl = siteUploadsUrl(await settings.current());
    const base = URL.canParse(uploadsUrl) ? new URL(uploadsUrl).pathname : uploadsUrl;
    const file = path.startsWith(`${base}/`) ? decoded(path.slice(base.length + 1)) : '';
    if (!STORED_PATH.test(file)) return next();
    if (root === undefined) return serveFromBucket(bucket, file, { request, response, next }, HEADERS);
    const stored = await storedImage(root, file);
    if (stored === undefined) return next();
    const options = { root: stored.root, dotfiles: 'ignore', maxAge: MAX_AGE_MS, headers: HEADERS } as const;
    response.sendFile(stored.file, options, (error?: Error) => {
      if (!error || response.headersSent) return;
      for (const name of Object.keys(HEADERS)) response.removeHeader(name);
      next();
    });
  };
}

/** The file behind symbolic links; undefined unless it, too, is an image where uploads are stored. */
async function storedImage(
  folder: string,
  path: string,
): Promise<{ root: string; file: string } | undefined> {
  try {
    const root = await realpath(folder);
    const file = relative(root, await realpath(join(root, path))).replaceAll(sep, '/');
    return IMAGE.test(file) && STORED_PATH.test(file) ? { root, file } : undefined;
  } catch {
    // No such file, a loop of links, or a NUL character in the path.
    return undefined;
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}
