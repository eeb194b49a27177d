import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';

/**
 * Nest's adapter of Express, with requests and responses that are made as what Express makes of them. Express gives each another
 * prototype; V8 keeps nothing that it learned of such objects, so that each access to one of their properties is looked up.
 */
export class MonomorphicExpressAdapter extends ExpressAdapter {
  override initHttpServer(options: NestApplicationOptions): void {
    super.initHttpServer(options);
    if (options.httpsOptions) return;
    const express = this.getInstance();
    class ExpressRequest extends IncomingMessage {}
    class ExpressResponse extends ServerResponse {}
    Object.setPrototypeOf(ExpressRequest.prototype, express.request);
    Object.setPrototypeOf(ExpressResponse.prototype, express.response);
    express.request = ExpressRequest.prototype;
    express.response = ExpressResponse.prototype;
    this.httpServer = createServer(
      { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse },
      express,
    );
  }
}
