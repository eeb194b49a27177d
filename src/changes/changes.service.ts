import { Injectable } from '@nestjs/common';
import { requirePrimary } from '../common/context/abort.js';
import { invalidParameter, RestException } from '../common/errors/rest-exception.js';
import { Hooks } from '../common/hooks/hooks.js';
import { Database } from '../database/database.js';
import { TableVersions } from '../database/table-versions.service.js';
import type { RequestContext } from '../http/request-context.js';
import { grouped } from '../lib/grouped.js';
import { recordTypeOf } from '../resources/base/declared-field.js';
import { type RecordReader, RecordReaders } from '../resources/base/record-readers.service.js';
import type { Resource } from '../resources/base/resource.js';
import { Resources } from '../resources/base/resources.js';
import { queryHook } from '../wordpress/posts/post-visibility.js';
import { viewOf } from '../wordpress/users/view.js';
import type { Change } from './change.js';
import { changeFor, isSeen, lastSeen, listedRecord } from './changed-record.js';
import type { ListChangesQuery } from './changes.dto.js';
import { type ChangeGroup, knownRecords, lastEntries, statesOf, tombstones } from './changes.query.js';
import type { ChangedRecordJson, ChangesJson } from './changes.response.js';
import { Journal } from './journal.service.js';
import { type SyncToken, writeSyncToken } from './sync-token.js';

/** A resource whose records are journaled. */
interface Followed {
  path: string;
  /** The post type or taxonomy. */
  type: string;
  resource: Resource;
  reader: RecordReader;
}

/** Lists changes as a caller sees them (docs/behaviour/changes.md). */
@Injectable()
export class ChangesService {
  constructor(
    private readonly journal: Journal,
    private readonly database: Database,
    private readonly tables: TableVersions,
    private readonly resources: Resources,
    private readonly readers: RecordReaders,
    private readonly hooks: Hooks,
  ) {}

  /** A page of everything or of what has changed; throws 410 `sync_token_expired` if the token does not fit any more. */
  async list(query: ListChangesQuery, context: RequestContext): Promise<ChangesJson> {
    // A replica may lag behind the journal.
    requirePrimary();
    if (!this.journal.isEnabled()) throw disabled();
    if (!(await this.journal.isReady())) throw notReady();
    // Changes are journaled later than tables change, and the response of the same second is the same.
    context.time.atSecond(() => undefined);
    const { since, per_page } = query;
    const head = await this.journal.head();
    const token = await this.tokenOf(query, head, context);
    if (since === 'now') return toPage([], token, false);
    return token.listed
      ? this.everything(token, per_page, context)
      : this.changed(token, per_page, head, context);
  }

  private async tokenOf(
    { since, types }: ListChangesQuery,
    head: number,
    context: RequestContext,
  ): Promise<SyncToken> {
    const [epoch, view] = [await this.journal.epoch(), viewOf(context.access.user)];
    if (since === undefined || since === 'now') {
      const paths = this.followed(types).map(({ path }) => path);
      const start = { epoch, view, types: paths, seq: head, from: head };
      return since === 'now' ? start : { ...start, listed: { type: paths[0] ?? '', id: 0 } };
    }
    const isSame = types === undefined || types.toSorted().join() === since.types.join();
    if (!isSame) throw invalidParameter('since', 'since is a token of other types.');
    const isOfNow = since.epoch === epoch && since.view === view && since.seq <= head;
    // Whatever was trimmed is older than the oldest entry.
    const isComplete = since.from === head || (isOfNow && since.from >= (await this.journal.oldest()) - 1);
    if (!isOfNow || !isComplete) throw expired();
    return since;
  }

  /** A page of all records that the journal knows and the caller may see. */
  private async everything(token: SyncToken, limit: number, context: RequestContext): Promise<ChangesJson> {
    const { listed, ...after } = token;
    const followed = this.followed(token.types);
    const one = followed.find(({ path }) => path === listed?.type);
    if (!one || !listed) return toPage([], after, true);
    const visibility = one.resource.kind === 'post' ? context.access.visibility(one.type) : undefined;
    const range = { type: one.type, after: listed.id, limit: limit + 1 };
    const found = await knownRecords(this.database, range, visibility);
    const some = found.slice(0, limit);
    // Caches may be a second old, and older than the entry that the token names.
    await this.tables.renew();
    const records = await one.reader.readMany(
      some.map(({ id }) => id),
      context,
    );
    const changes = some.flatMap((known) => listedRecord(one.path, known, records.get(known.id)));
    const last = found.length > limit ? some.at(-1) : undefined;
    const next = followed[followed.indexOf(one) + 1];
    const place = last ? { type: one.path, id: last.id } : next && { type: next.path, id: 0 };
    return toPage(changes, { ...after, ...(place && { listed: place }) }, true);
  }

  /** A page of the records that were changed since a token, each once and as it is now. */
  private async changed(
    token: SyncToken,
    limit: number,
    head: number,
    context: RequestContext,
  ): Promise<ChangesJson> {
    if (token.seq === head) return toPage([], { ...token, from: head }, false);
    const followed = this.followed(token.types);
    const types = followed.map(({ type }) => type);
    const found = await lastEntries(this.database, { after: token.seq, types, limit: limit + 1 });
    const entries = found.slice(0, limit);
    const hasMore = found.length > limit;
    const seq = Math.max(entries.at(-1)?.seq ?? 0, hasMore ? 0 : head);
    await this.tables.renew();
    const states = await statesOf(this.database, entries, { after: token.from, to: seq });
    const statesBy = grouped(states.map((state) => [keyOf(state), state] as const));
    const ofEach = await Promise.all(
      followed.map((one) => {
        const own = entries.filter(({ type }) => type === one.type);
        return this.changesOf(one, own, statesBy, context);
      }),
    );
    const bySeq = new Map(ofEach.flat());
    const changes = entries.flatMap((entry) => bySeq.get(entry.seq) ?? []);
    return toPage(changes, { ...token, seq, from: hasMore ? token.from : seq }, hasMore);
  }

  /** The changes of records of one resource, each with the number of its entry. */
  private async changesOf(
    { path, type, resource, reader }: Followed,
    entries: readonly Change[],
    statesBy: ReadonlyMap<string, readonly ChangeGroup[]>,
    context: RequestContext,
  ): Promise<[number, ChangedRecordJson][]> {
    if (entries.length === 0) return [];
    const visibility = resource.kind === 'post' ? context.access.visibility(type) : undefined;
    const sees = (status: string, author: number) => isSeen(visibility, status, author);
    const readable = entries.filter(
      ({ change, status, author }) => change !== 'deleted' && sees(status, author),
    );
    const records = await reader.readMany(
      readable.map(({ id }) => id),
      context,
    );
    // A plugin may have hidden a record at any time: then nothing but the id may be said of it.
    const isFiltered = this.hooks.has(queryHook(type));
    const gone = entries.filter(({ id }) => !records.has(id));
    const seen = new Map(gone.map((entry) => [entry.seq, lastSeen(statesBy.get(keyOf(entry)) ?? [], sees)]));
    const described = isFiltered ? [] : [...seen.values()].flatMap((one) => one?.seq ?? []);
    const byEntry = new Map((await tombstones(this.database, described)).map((one) => [one.seq, one]));
    return entries.flatMap((entry): [number, ChangedRecordJson][] => {
      const record = records.get(entry.id);
      const last = seen.get(entry.seq);
      if (!record && !last) return [];
      const parts = {
        path,
        record,
        states: statesBy.get(keyOf(entry)) ?? [],
        tombstone: byEntry.get(last?.seq ?? 0),
        sees,
      };
      return [[entry.seq, changeFor(entry, parts)]];
    });
  }

  /** The resources at these paths, or all; in the order of their paths. */
  private followed(paths?: readonly string[]): Followed[] {
    const all = this.all();
    const unknown = paths?.find((path) => !all.some((one) => one.path === path));
    if (unknown !== undefined)
      throw invalidParameter('types', `types may name ${all.map(({ path }) => path).join(', ')}.`);
    return paths ? all.filter(({ path }) => paths.includes(path)) : all;
  }

  private all(): Followed[] {
    return this.resources
      .all()
      .flatMap((resource): Followed[] => {
        const reader = this.readers.of(resource);
        return reader ? [{ path: resource.path, type: recordTypeOf(resource), resource, reader }] : [];
      })
      .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }
}

const toPage = (changes: ChangedRecordJson[], token: SyncToken, hasMore: boolean): ChangesJson => ({
  changes,
  token: writeSyncToken(token),
  has_more: hasMore,
});

const keyOf = ({ type, id }: Pick<Change, 'type' | 'id'>): string => `${type} ${id}`;

const disabled = () =>
  new RestException(
    'invalid',
    'changes_disabled',
    'Changes are not recorded: set CHANGES=on and run almanac migrate.',
  );

const expired = () =>
  new RestException(
    'gone',
    'sync_token_expired',
    'The token does not fit any more: start again without since.',
  );

const notReady = () => new RestException('busy', 'changes_not_ready', 'The journal is still being prepared.');
