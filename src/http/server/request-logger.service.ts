import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { DatabaseBudget } from '../../common/context/database-budget.js';
import { type CurrentRequest, runWith } from '../../common/context/request-store.js';
import { Environment } from '../../config/env.js';
import { cut, oneLine } from '../../lib/safe-text.js';
import { splitOnce } from '../../lib/wordpress-text/formatting/uri-parts.js';
import { LogEntry } from '../../observability/logging/log-entry.js';
import { Timings } from '../../observability/logging/timings.js';
import { Metrics } from '../../observability/metrics/metrics.service.js';
import { restOf } from '../rest-request.js';

/** Ids that are taken over: nothing in them means anything to a log or a terminal. */
const SOUND_ID = /^[\w.:@/+=~-]{1,128}$/;
/** Characters of a path that the log shows. */
const MAX_PATH_LENGTH = 200;
/** The status in the log where the client went before there was one, as other servers have it. */
const CLIENT_GONE = 499;

/** A request that is being answered. */
interface TrackedRequest extends CurrentRequest {
  readonly method: string | undefined;
  readonly url: string;
  readonly begun: number;
  readonly timings?: Timings;
}

/** Gives each request its id, and tells the log and the metrics how it was answered. */
@Injectable()
export class RequestLogger {
  private readonly logger = new Logger('Request');
  private readonly logsAll: boolean;
  /** What the ids of this process begin with. */
  private readonly prefix = randomBytes(6).toString('base64url');
  private begun = 0;

  constructor(
    private readonly env: Environment,
    private readonly metrics: Metrics,
  ) {
    this.logsAll = env.logLevel === 'log' || env.logLevel === 'debug';
  }

  /** A request that has just come. */
  begin({ method, url = '', headers }: IncomingMessage): TrackedRequest {
    const sent = headers['x-request-id'];
    const id = typeof sent === 'string' && SOUND_ID.test(sent) ? sent : this.newId();
    const timings = this.env.serverTiming ? new Timings() : undefined;
    return { id, method, url, timings, begun: performance.now() };
  }

  /** What an answer says of the way that it was made. */
  headersOf({ id, timings }: TrackedRequest): Record<string, string> {
    return timings ? { 'X-Request-Id': id, 'Server-Timing': `${timings}` } : { 'X-Request-Id': id };
  }

  /** Has the rest of the application answer. */
  follow(
    watched: TrackedRequest,
    request: IncomingMessage,
    response: ServerResponse,
    answer: () => void,
  ): void {
    response.setHeader('X-Request-Id', watched.id);
    if (watched.timings) this.sendTimings(watched.timings, response);
    response.once('close', () => {
      const status = response.headersSent ? response.statusCode : CLIENT_GONE;
      const rest = restOf(request as Request);
      const { route } = request as { route?: { path?: unknown } };
      this.log(watched, status, route && String(route.path), rest?.user?.id, rest?.query['rest_route']);
    });
    // One that waited behind another on its connection comes as a part of that one's work.
    const caller = { aborted: false, budget: new DatabaseBudget(this.env.databaseTimeout) };
    runWith({ request: watched, caller, scope: watched }, answer);
  }

  /** Logs and counts a response that was sent. */
  log(watched: TrackedRequest, status: number, route?: string, user?: number, restRoute?: unknown): void {
    const { method = '-', url, begun, id } = watched;
    const milliseconds = performance.now() - begun;
    this.metrics.countRequest(method, route, status, milliseconds / 1000);
    if (!this.env.logRequests || (!this.logsAll && status < 500)) return;
    // Queries may hold nonces and passwords of records.
    const path = shown(splitOnce(url, '?')[0], restRoute);
    const ms = Math.round(milliseconds * 10) / 10;
    const by = user === undefined ? '' : ` user=${user}`;
    const entry = new LogEntry(`${method} ${path} ${status} ${ms}ms${by}`, {
      method,
      path,
      status,
      ms,
      user,
      request: id,
    });
    if (status >= 500) this.logger.warn(entry);
    else this.logger.log(entry);
  }

  /** Logs the response to what was no HTTP request. */
  logUnparsable(status: number): void {
    this.log({ id: this.newId(), method: undefined, url: '-', begun: performance.now() }, status);
  }

  private newId(): string {
    return `${this.prefix}-${(++this.begun).toString(36)}`;
  }

  private sendTimings(timings: Timings, response: ServerResponse): void {
    const writeHead = response.writeHead;
    response.writeHead = (...head: unknown[]) => {
      response.setHeader('Server-Timing', `${timings}`);
      return Reflect.apply(writeHead, response, head);
    };
  }
}

function shown(path: string, restRoute: unknown): string {
  const whole = typeof restRoute === 'string' ? `${path}?rest_route=${restRoute}` : path;
  // A space would make the line's next word look like another one.
  return oneLine(cut(whole, MAX_PATH_LENGTH)).replaceAll(' ', '%20');
}
