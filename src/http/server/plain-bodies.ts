import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { RawBodyRequest } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { isRest } from '../rest-request.js';
import type { BodyReader } from './body-reader.service.js';
import { bringsBody } from './read-body.js';

const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;

/**
 * Reads bodies outside the interface as any Nest application does. Nest's parsers get each body whole, as they would buffer
 * every chunk of unlimited bodies.
 */
export function readPlainBodies(reader: BodyReader, limit: number): RequestHandler {
  const parsers = new ExpressAdapter();
  const isJson = ({ headers }: IncomingMessage) => JSON_TYPE.test(headers['content-type'] ?? '');
  const isForm = ({ headers }: IncomingMessage) => FORM_TYPE.test(headers['content-type'] ?? '');
  parsers.useBodyParser('json', true, { limit, type: isJson });
  parsers.useBodyParser('urlencoded', true, { limit, type: isForm, extended: true });
  const parse = parsers.getInstance().router as RequestHandler;
  return (request: RawBodyRequest<Request>, response: Response, next: NextFunction) => {
    const { headers, method, url } = request;
    if (isRest(request) || !bringsBody(headers) || !(isJson(request) || isForm(request))) return next();
    const parsed = (bytes: Buffer) => {
      const whole = Object.assign(Readable.from(bytes.length > 0 ? [bytes] : [], { objectMode: false }), {
        ...{ headers, method, url },
      }) as unknown as RawBodyRequest<Request>;
      parse(whole, response, (error?: unknown) => {
        request.body = whole.body as unknown;
        if (whole.rawBody) request.rawBody = whole.rawBody;
        next(error);
      });
    };
    reader.bytes(request).then(parsed, next);
  };
}
