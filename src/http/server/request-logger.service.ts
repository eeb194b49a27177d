import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { WORDPRESS_STRATEGIES } from '../../auth/auth-strategies.service.js';
import { DatabaseBudget } from '../../common/context/database-budget.js';
import { type CurrentRequest, runWith } from '../../common/context/request-store.js';
import { Environment } from '../../config/env.js';
import { cut, oneLine, quotedText } from '../../lib/safe-text.js';
import { splitOnce } from '../../lib/wordpress-text/formatting/uri-parts.js';
import { LogEntry } from '../../observability/logging/log.js';
import { Timings } from '../../observability/logging/timings.js';
import { Metrics } from '../../observability/metrics/metrics.service.js';
import type { CapabilityUser } from '../../wordpress/users/capabilities.js';
import { type RestRequest, restOf } from '../rest-request.js';
import { subRequestKind } from '../sub-request.js';

/** Ids that are safe in a log or a terminal. */
const SAFE_ID = /^[\w.:@/+=~-]{1,128}$/;
/** Maximum characters of a path in the log. */
const MAX_PATH_LENGTH = 200;
/** Maximum characters of a virtual user in the log. */
const MAX_SUBJECT_LENGTH = 60;
/** The status in the log if the client disconnected before the response, as of nginx. */
const CLIENT_CLOSED_REQUEST = 499;

interface TrackedRequest extends CurrentRequest {
  readonly method: string | undefined;
  readonly url: string;
  readonly begun: number;
  readonly timings?: Timings;
}

/** Assigns each request its id, and logs and counts its response. */
@Injectable()
export class RequestLogger {
  private readonly logger = new Logger('Request');
  private readonly logsAll: boolean;
  /** The prefix of this process's ids. */
  private readonly prefix = randomBytes(6).toString('base64url');
  private begun = 0;

  constructor(
    private readonly env: Environment,
    private readonly metrics: Metrics,
  ) {
    this.logsAll = env.logLevel === 'log' || env.logLevel === 'debug';
  }

  begin(request: IncomingMessage): TrackedRequest {
    const { method, url = '', headers } = request;
    const sent = headers['x-request-id'];
    const id = typeof sent === 'string' && SAFE_ID.test(sent) ? sent : this.newId();
    const timings = this.env.serverTiming ? new Timings() : undefined;
    const { validatesOnly } = subRequestKind(request) ?? {};
    return { id, method, url, timings, validatesOnly, begun: performance.now() };
  }

  headersOf({ id, timings }: TrackedRequest): Record<string, string> {
    return timings ? { 'X-Request-Id': id, 'Server-Timing': `${timings}` } : { 'X-Request-Id': id };
  }

  /** Runs the handler of a request, and logs its response. */
  follow(
    tracked: TrackedRequest,
    request: IncomingMessage,
    response: ServerResponse,
    handle: () => void,
  ): void {
    response.setHeader('X-Request-Id', tracked.id);
    if (tracked.timings) this.sendTimings(tracked.timings, response);
    response.once('close', () => {
      const status = response.headersSent ? response.statusCode : CLIENT_CLOSED_REQUEST;
      const rest = restOf(request as Request);
      const { route } = request as { route?: { path?: unknown } };
      this.log(tracked, status, route && String(route.path), rest, rest?.query['rest_route']);
    });
    // A pipelined request would inherit the store of the one before it. `readRequest` sets a caller that can be aborted.
    const caller = { aborted: false, budget: new DatabaseBudget(this.env.databaseTimeout) };
    runWith({ request: tracked, caller, scope: tracked }, handle);
  }

  /** Logs and counts a response that was sent. */
  log(
    tracked: TrackedRequest,
    status: number,
    route?: string,
    login?: Pick<RestRequest, 'user' | 'via'>,
    restRoute?: unknown,
  ): void {
    const { method = '-', url, begun, id } = tracked;
    const milliseconds = performance.now() - begun;
    this.metrics.countRequest(method, route, status, milliseconds / 1000);
    if (!this.env.logRequests || (!this.logsAll && status < 500)) return;
    // Queries may hold nonces and passwords of records.
    const path = loggedPath(splitOnce(url, '?')[0], restRoute);
    const ms = Math.round(milliseconds * 10) / 10;
    const by = login?.user ? loginOf(login.user, login.via) : {};
    const words = Object.entries(by).map(([name, value]) => ` ${name}=${inWord(value)}`);
    const entry = new LogEntry(`${method} ${path} ${status} ${ms}ms${words.join('')}`, {
      method,
      path,
      status,
      ms,
      ...by,
      request: id,
    });
    if (status >= 500) this.logger.warn(entry);
    else this.logger.log(entry);
  }

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

/** The user of a log entry; the strategy is named if WordPress does not have it. */
function loginOf(
  { id, profile }: CapabilityUser,
  via: string | null | undefined,
): Record<string, string | number> {
  return {
    user: id,
    ...(via && !WORDPRESS_STRATEGIES.has(via) && { via }),
    ...(profile && { subject: cut(oneLine(profile.subject), MAX_SUBJECT_LENGTH) }),
  };
}

/** A value without blanks, which separate the parts of a line. */
const inWord = (value: string | number): string =>
  /^[\w.@:-]*$/.test(String(value)) ? String(value) : quotedText(String(value), MAX_SUBJECT_LENGTH);

function loggedPath(path: string, restRoute: unknown): string {
  const whole = typeof restRoute === 'string' ? `${path}?rest_route=${restRoute}` : path;
  // A space would look like the end of the path.
  return oneLine(cut(whole, MAX_PATH_LENGTH)).replaceAll(' ', '%20');
}
