import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Semaphore } from '../cache/semaphore.js';
import { SingleFlight } from '../cache/single-flight.js';
import { runInBackground } from '../common/context/abort.js';
import { DatabaseBudget } from '../common/context/database-budget.js';
import { firstLine } from '../common/errors/first-line.js';
import { invalidParameter, RestException, setErrorHeaders } from '../common/errors/rest-exception.js';
import { Environment } from '../config/env.js';
import { serializeJson } from '../http/php-json.js';
import type { RequestContext } from '../http/request-context.js';
import { RequestContexts } from '../http/request-contexts.service.js';
import { restOf } from '../http/rest-request.js';
import { responseHeaders } from '../http/serialize-response.js';
import { EventStream } from '../http/server/event-stream.js';
import { viewOf } from '../wordpress/users/view.js';
import type { ListChangesQuery } from './changes.dto.js';
import type { ChangesJson } from './changes.response.js';
import { ChangesService } from './changes.service.js';
import { Journal } from './journal.service.js';
import { readSyncToken, writeSyncToken } from './sync-token.js';

/** The part of all streams that one address may have. */
const SHARE_OF_ADDRESS = 0.1;
/** Streams that read the database at the same time, per connections of the pool. */
const CONNECTIONS_PER_READER = 4;
/** How long clients wait before they connect again, in milliseconds and in seconds. */
const RETRY_MS = 3000;
const RETRY_AFTER = '10';

/** Keeps `GET /changes` open as server-sent events (docs/behaviour/changes.md#stream). */
@Injectable()
export class ChangeStreams implements OnModuleDestroy {
  /** In milliseconds: between signs of life, between checks of the login, and for a client to read what was sent. */
  readonly times = { heartbeat: 15_000, recheck: 30_000, drain: 15_000 };
  private readonly streams = new Map<EventStream, string>();
  private readonly pages = new SingleFlight<string, ChangesJson>();
  private readonly readers: Semaphore;
  private isStopping = false;
  private readonly logger = new Logger('Changes');

  constructor(
    private readonly env: Environment,
    private readonly changes: ChangesService,
    private readonly contexts: RequestContexts,
    private readonly journal: Journal,
  ) {
    this.readers = new Semaphore(Math.max(1, Math.floor(env.poolSize / CONNECTIONS_PER_READER)));
  }

  /** The open streams of this process. */
  get count(): number {
    return this.streams.size;
  }

  onModuleDestroy(): void {
    this.isStopping = true;
    this.closeAll();
  }

  /** Ends all streams; their clients connect again. */
  closeAll(): void {
    for (const stream of this.streams.keys()) stream.close();
  }

  /** Sends the first page, and then all changes until the client disconnects; rejects before anything was sent. */
  async open(
    query: ListChangesQuery,
    context: RequestContext,
    request: Request,
    response: Response,
  ): Promise<void> {
    // The client may have disconnected before; then no event says so any more.
    if (response.destroyed) return;
    const address = request.ip ?? '';
    this.checkLimits(address);
    const stream = new EventStream(response, this.times.drain);
    this.streams.set(stream, address);
    const unsubscribe = this.journal.onChange(() => stream.notify());
    const forget = () => {
      unsubscribe();
      this.streams.delete(stream);
    };
    response.once('close', forget);
    try {
      const page = await this.read(startOf(query, request), context);
      const { 'Cache-Control': caching = 'no-cache', ...headers } = responseHeaders(request, {}, this.env);
      stream.begin({ ...headers, 'Cache-Control': `${caching}, no-transform` });
      if (request.method === 'HEAD') return stream.close();
      this.follow(stream, page, query, request)
        .catch((error) => this.logger.debug(`A stream ended: ${firstLine(error)}`))
        .finally(() => stream.close());
    } catch (error) {
      forget();
      throw error;
    }
  }

  private checkLimits(address: string): void {
    const { changesStreams } = this.env;
    if (this.isStopping || this.streams.size >= changesStreams)
      throw rejected(
        'busy',
        'changes_streams_full',
        'This server has too many streams; read /changes in pages.',
      );
    const ofAddress = [...this.streams.values()].filter((one) => one === address).length;
    if (ofAddress >= Math.ceil(changesStreams * SHARE_OF_ADDRESS))
      throw rejected('too_many', 'changes_streams_per_address', 'This address has too many streams.');
  }

  private async follow(
    stream: EventStream,
    first: ChangesJson,
    { types, per_page }: ListChangesQuery,
    request: Request,
  ): Promise<void> {
    await stream.send({ retry: String(RETRY_MS) });
    let page = first;
    let user = restOf(request)?.user ?? null;
    let checkedAt = performance.now();
    let isNew = true;
    while (stream.isOpen) {
      if (isNew) await sendPage(stream, page);
      const since = readSyncToken(page.token);
      if (!page.has_more) {
        await stream.wait(this.times.heartbeat);
        await stream.send({ '': '' });
      }
      if (performance.now() - checkedAt > this.times.recheck) {
        user = await this.login(request);
        checkedAt = performance.now();
      }
      const context = await this.inBackground(() => this.contexts.ofUser(user, restOf(request)?.namespace));
      if (!stream.isOpen || context.settings.restDisabled) break;
      const next = await this.read({ since, types, per_page }, context);
      isNew = next.token !== page.token;
      page = next;
    }
  }

  /** The user of the credentials that a stream was opened with, as they are now; throws if they are not valid any more. */
  private async login(request: Request) {
    const { user } = await this.inBackground(() =>
      this.contexts.authenticate(request, restOf(request)?.query['_wpnonce']),
    );
    return user;
  }

  /** The page after a token; streams of the same view at the same place share one. */
  private read(query: ListChangesQuery, context: RequestContext): Promise<ChangesJson> {
    const { since } = query;
    const { access, base } = context;
    const list = () => this.readers.run(() => this.changes.list(query, context));
    if (typeof since !== 'object') return this.inBackground(list);
    // The view in a token is what its client claims.
    const key = `${base.namespace} ${viewOf(access.user)} ${query.per_page} ${writeSyncToken(since)}`;
    return this.inBackground(() => this.pages.run(key, list));
  }

  /** Runs one step of a stream, with a time limit of its own for the database. */
  private inBackground<T>(work: () => Promise<T>): Promise<T> {
    return runInBackground(work, new DatabaseBudget(this.env.databaseTimeout));
  }
}

/** Where a stream begins: after the event that the client has seen last, else where its address says. */
function startOf(query: ListChangesQuery, { headers }: Request): ListChangesQuery {
  const last = headers['last-event-id'];
  if (typeof last !== 'string' || last === '') return query;
  const since = readSyncToken(last);
  if (!since) throw invalidParameter('since', 'Last-Event-ID is not the id of an event of this stream.');
  return { ...query, since };
}

/** Sends the changes of a page; only the last one has an id, since they are read again together. */
async function sendPage(stream: EventStream, { changes, token }: ChangesJson): Promise<void> {
  for (const change of changes.slice(0, -1))
    await stream.send({ event: change.change, data: (await serializeJson(change)).json });
  const last = changes.at(-1);
  if (last) await stream.send({ event: last.change, data: (await serializeJson(last)).json, id: token });
  else await stream.send({ event: 'token', data: JSON.stringify({ token }), id: token });
}

function rejected(kind: 'busy' | 'too_many', code: string, message: string): RestException {
  const error = new RestException(kind, code, message);
  setErrorHeaders(error.getResponse() as object, { 'Retry-After': RETRY_AFTER });
  return error;
}
