import { readFile } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../config/env.js';
import { CachedResponse } from '../response-cache/cached-response.js';
import { SerializedResponse } from '../serialized-response.js';

/** Serves files of the package to browsers: each is read and compressed once, and has an ETag. */
@Injectable()
export class StaticFiles {
  private readonly files = new Map<string, Promise<CachedResponse>>();

  constructor(private readonly env: Environment) {}

  /** Sends a file of the package; its type and other headers are set already. */
  async send(path: string, request: Request, response: Response, cacheControl = 'no-cache'): Promise<void> {
    const file = await (this.files.get(path) ?? this.cache(path));
    file.send(request, response, { 'Cache-Control': cacheControl });
  }

  private cache(path: string): Promise<CachedResponse> {
    const file = this.read(path);
    this.files.set(path, file);
    // The next request retries a failed read.
    file.catch(() => this.files.delete(path));
    return file;
  }

  private async read(path: string): Promise<CachedResponse> {
    const response = new SerializedResponse(200, {}, [await readFile(path, 'latin1')]);
    return CachedResponse.of(response, { from: 0, until: Number.POSITIVE_INFINITY }, this.env.corsOrigins);
  }
}
