import { readFile } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../config/env.js';
import { CachedResponse } from '../response-cache/cached-response.js';
import { ResponseBody } from '../response-body.js';

/** Files for browsers, the same for as long as the server runs: each is read once, compressed once, and known again by its ETag. */
@Injectable()
export class StaticFiles {
  private readonly files = new Map<string, Promise<CachedResponse>>();

  constructor(private readonly env: Environment) {}

  /** Sends a file that the package is known to have; its type, and what else is said of it, is set already. */
  async send(path: string, request: Request, response: Response, cacheControl = 'no-cache'): Promise<void> {
    const file = await (this.files.get(path) ?? this.keep(path));
    file.send(request, response, { 'Cache-Control': cacheControl });
  }

  private keep(path: string): Promise<CachedResponse> {
    const file = this.read(path);
    this.files.set(path, file);
    // What could not be read is tried again by who asks next.
    file.catch(() => this.files.delete(path));
    return file;
  }

  private async read(path: string): Promise<CachedResponse> {
    const text = new ResponseBody([await readFile(path, 'latin1')]);
    const holds = { until: Number.POSITIVE_INFINITY };
    return CachedResponse.of({ status: 200, headers: {}, text }, holds, this.env.corsOrigins);
  }
}
