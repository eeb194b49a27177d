import { hash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Request } from 'express';
import { LessThan, type Repository } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { workToTheEnd } from '../../common/context/abort.js';
import { getStore, runWith } from '../../common/context/request-store.js';
import { firstLine } from '../../common/errors/first-line.js';
import { forbidden, RestException, validated } from '../../common/errors/rest-exception.js';
import { Environment } from '../../config/env.js';
import { Database } from '../../database/database.js';
import { hasTable } from '../../database/with-runner.js';
import { type CapabilityUser, identityOf } from '../../wordpress/users/capabilities.js';
import { viewOf } from '../../wordpress/users/view.js';
import { restOf } from '../rest-request.js';
import { serializeResponse } from '../serialize-response.js';
import { SerializedResponse, textOf } from '../serialized-response.js';
import { IdempotencyRow } from './idempotency-row.entity.js';
import { keyInUse, type NewRow, TransactionResults } from './transaction-results.js';

/** A structured string (RFC 8941), or the same without quotes, as many clients send it. */
const KEY = /^(?:"((?:[ !#-[\]-~]|\\["\\])+)"|([!#-+\--[\]-~]+))$/;
const MAX_KEY_LENGTH = 255;
/** How long a key is kept, in milliseconds. */
const RETENTION_MS = 86_400_000;
/** Maximum characters of a stored response; a longer one is made again. */
const MAX_STORED = 262_144;
/** Maximum expired rows that the schedule deletes at once, and each write with a key. */
const TRIMMED_AT_ONCE = 1000;
const TRIMMED_BY_WRITE = 10;
/** The headers of a response that are sent again; all others depend on the request. */
const STORED_HEADERS = ['Content-Type', 'ETag', 'Location', 'Link', 'Allow', 'X-Almanac-Ignored'];

interface StoredResponse {
  /** What its caller could see (`viewOf`). */
  view: string;
  status: number;
  headers: Record<string, string>;
  text: string;
}

/**
 * Runs each POST and PATCH with an `Idempotency-Key` once (docs/behaviour/writes.md#idempotency-keys), by the draft
 * "The Idempotency-Key HTTP Header Field" of the IETF.
 */
@Injectable()
export class Idempotency {
  /** The requests of this process that are running. */
  private readonly running = new Set<string>();
  private hasTable = false;
  private readonly logger = new Logger('Idempotency');

  constructor(
    private readonly env: Environment,
    private readonly database: Database,
    private readonly clock: Clock,
    @InjectRepository(IdempotencyRow) private readonly rows: Repository<IdempotencyRow>,
  ) {}

  /** The response of `respond`, or the one that was stored (`stores`) of the same request; throws `RestException`. */
  async run<T>(
    request: Request,
    respond: () => Promise<T>,
    { stores }: { stores: boolean },
  ): Promise<T | SerializedResponse> {
    const sent = request.headers['idempotency-key'];
    const isKeyed = request.method === 'POST' || request.method === 'PATCH';
    if (sent === undefined || !isKeyed) return respond();
    const { user } = restOf(request) ?? {};
    if (!user) throw forbidden('Idempotency-Key needs a login.');
    const row = this.rowOf(request, user, keyIn(sent));
    await this.checkEnabled();
    if (getStore()?.request?.validatesOnly) {
      // What was written before is not checked again.
      if (await this.find(row)) throw validated();
      return respond();
    }
    if (this.running.has(row.id)) throw keyInUse();
    this.running.add(row.id);
    try {
      const stored = await this.find(row);
      const view = viewOf(user);
      const sentBefore: StoredResponse | undefined = stored?.response && JSON.parse(stored.response);
      // Other rights, such as those of an API key, may show less.
      if (sentBefore?.view === view) return await replay(request, sentBefore, this.env);
      const results = new TransactionResults(row, this.oldest, stored);
      const response = await runWith({ ...getStore(), results }, respond);
      if (!results.isStored) return response;
      if (stores && response instanceof SerializedResponse) await this.keep(row, view, response);
      await this.trim(TRIMMED_BY_WRITE).catch((error: unknown) => {
        this.logger.warn(`Expired keys were not deleted: ${firstLine(error)}`);
      });
      return response;
    } finally {
      this.running.delete(row.id);
    }
  }

  /** Deletes expired rows, a limited number. */
  async trim(limit = TRIMMED_AT_ONCE): Promise<void> {
    if (!(await this.isEnabled())) return;
    const expired = await this.rows.find({
      select: { id: true },
      where: { createdAt: LessThan(this.oldest) },
      take: limit,
    });
    if (expired.length > 0) await this.rows.delete(expired.map(({ id }) => id));
  }

  private get oldest(): number {
    return this.clock.now() - RETENTION_MS;
  }

  private rowOf(request: Request, user: CapabilityUser, key: string): NewRow {
    const [path = ''] = request.url.split('?', 1);
    const upload = restOf(request)?.upload;
    const file = upload ? [hash('sha256', upload.bytes), upload.name] : [];
    return {
      id: digest([identityOf(user), request.method, path, key]),
      fingerprint: digest([request.query, request.body, ...file]),
      createdAt: this.clock.now(),
    };
  }

  private async find({ id, fingerprint }: NewRow): Promise<IdempotencyRow | undefined> {
    const found = await this.rows.findOneBy({ id });
    if (!found || Number(found.createdAt) < this.oldest) return undefined;
    if (found.fingerprint !== fingerprint)
      throw new RestException(
        'unprocessable',
        'idempotency_key_reused',
        'This Idempotency-Key was sent with another request.',
      );
    return found;
  }

  /** Stores the response; without it the next request with the key makes it again. */
  private async keep(
    { id }: NewRow,
    view: string,
    { status, headers, chunks }: SerializedResponse,
  ): Promise<void> {
    const text = chunks.map(textOf).join('');
    if (text.length > MAX_STORED) return;
    const stored = STORED_HEADERS.flatMap((name) =>
      headers[name] === undefined ? [] : [[name, headers[name]]],
    );
    const response: StoredResponse = { view, status, headers: Object.fromEntries(stored), text };
    try {
      await workToTheEnd(() => this.rows.update({ id }, { response: JSON.stringify(response) }));
    } catch (error) {
      this.logger.warn(`A response was not stored for its Idempotency-Key: ${firstLine(error)}`);
    }
  }

  /** Throws 400 without the table, which only `almanac migrate` makes: to ignore the key would write twice. */
  private async checkEnabled(): Promise<void> {
    if (!(await this.isEnabled()))
      throw new RestException(
        'invalid',
        'changes_disabled',
        'Idempotency-Key needs CHANGES=on and the tables that almanac migrate makes.',
      );
  }

  private async isEnabled(): Promise<boolean> {
    if (this.env.changes !== 'on') return false;
    this.hasTable ||= await hasTable(this.database.source, 'almanac_idempotency');
    return this.hasTable;
  }
}

/** The key in a header; throws 400 for a malformed one. */
function keyIn(header: string | string[]): string {
  const [, quoted, bare] = KEY.exec(String(header)) ?? [];
  const key = quoted?.replace(/\\(.)/g, '$1') ?? bare;
  if (key === undefined || key.length > MAX_KEY_LENGTH)
    throw new RestException(
      'invalid',
      'idempotency_key_invalid',
      `Idempotency-Key must be one text of 1 to ${MAX_KEY_LENGTH} visible ASCII characters, in quotes or without.`,
    );
  return key;
}

/** A stored response with the headers of this request. */
async function replay(
  request: Request,
  { status, headers, text }: StoredResponse,
  env: Environment,
): Promise<SerializedResponse> {
  const own = await serializeResponse(request, { body: null, status, headers: {} }, env);
  const replayed = { ...own.headers, ...headers, 'Idempotency-Replayed': 'true' };
  return new SerializedResponse(status, replayed, [text]);
}

/** The digest of a request's parts, without a nonce, which may differ between attempts. */
const digest = (parts: readonly unknown[]): string =>
  hash(
    'sha256',
    JSON.stringify(parts, (name, value) => (name === '_wpnonce' ? undefined : value)),
    'base64url',
  );
