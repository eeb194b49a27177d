import { type IncomingMessage, type Server, request as sendRequest } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { markSubRequest, type SubRequestKind } from '../sub-request.js';

/** One request within another one. */
export interface SubRequest extends SubRequestKind {
  method: string;
  /** Path and query, with `PATH_PREFIX`. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** JSON. */
  body: string;
}

/** A response as it was received. */
export interface SubResponse {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

/** Headers of a request that are about its connection, its body or its own conditions, and not about its caller. */
const NOT_OF_CALLER =
  /^(?:connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|content-.*|accept.*|if-.*|idempotency-key|range|x-http-method-override|http2-settings)$/;

/**
 * Sends requests to this server in the name of the caller of another request, each over a connection in memory: guards,
 * limits and logs see what they would see of a single one.
 */
@Injectable()
export class SubRequests {
  constructor(private readonly host: HttpAdapterHost) {}

  /** Rejects if the signal aborts; the request is aborted with it. */
  send(outer: IncomingMessage, { method, url, headers, body, ...kind }: SubRequest, signal: AbortSignal) {
    const [near, far] = duplexPair();
    const { remoteAddress, encrypted } = outer.socket as Socket & { encrypted?: boolean };
    near.once('close', () => far.destroy());
    far.once('close', () => {
      if (!far.writableFinished && !near.destroyed) near.destroy(new Error('The server closed a request.'));
    });
    Object.assign(far, { remoteAddress, encrypted, setTimeout: () => far });
    markSubRequest(far, kind);
    this.connect(far);
    const sent = {
      ...callerHeaders(outer),
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    };
    return new Promise<SubResponse>((resolve, reject) => {
      const options = {
        createConnection: () => near,
        method,
        path: url,
        headers: sent,
        signal,
      };
      const received = async (response: IncomingMessage) => {
        const { statusCode: status = 0, headers: own } = response;
        return { status, headers: own, text: await text(response) };
      };
      sendRequest(options, (response) => resolve(received(response)))
        .on('error', reject)
        .end(body);
    });
  }

  private connect(connection: Duplex): void {
    const server: Server = this.host.httpAdapter.getHttpServer();
    server.emit(server instanceof HttpsServer ? 'secureConnection' : 'connection', connection);
  }
}

function callerHeaders({ headers }: IncomingMessage): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      NOT_OF_CALLER.test(name) || value === undefined ? [] : [[name, value]],
    ),
  );
}
