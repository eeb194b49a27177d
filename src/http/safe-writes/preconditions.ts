import type { IncomingHttpHeaders } from 'node:http';
import { getStore } from '../../common/context/request-store.js';
import { invalidParameter, RestException } from '../../common/errors/rest-exception.js';

/** One of our own tags; proxies that compress may add the name of the compression. */
const TAG = /^(W\/)?"([\w-]{27})(?:-\w+)?"$/;

interface TagList {
  isAny: boolean;
  strong: ReadonlySet<string>;
  all: ReadonlySet<string>;
}

/** What a record is when a write is about to change it. */
export interface RecordState {
  /** The tag of its current state. */
  tag: string;
  /** When it was last modified, in epoch milliseconds; undefined where unknown. */
  modifiedAt?: number;
}

/**
 * The conditions of one write by RFC 9110, 13 (docs/behaviour/writes.md#conditional-writes). They hold for the first record
 * that the request writes: writes that plugins add in its name have none.
 */
export class Preconditions {
  /** The record that they hold for. */
  private target?: string;
  private isOver = false;

  private constructor(
    private readonly ifMatch: TagList | undefined,
    private readonly ifNoneMatch: TagList | undefined,
    /** In epoch milliseconds. */
    private readonly unmodifiedSince: number | undefined,
  ) {}

  /** The conditions in the headers of a request; undefined without any. */
  static of(headers: IncomingHttpHeaders): Preconditions | undefined {
    const ifMatch = tagList(headers['if-match']);
    const ifNoneMatch = tagList(headers['if-none-match']);
    const since = Date.parse(headers['if-unmodified-since'] ?? '');
    const unmodifiedSince = ifMatch || Number.isNaN(since) ? undefined : since;
    const hasAny = ifMatch || ifNoneMatch || unmodifiedSince !== undefined;
    return hasAny ? new Preconditions(ifMatch, ifNoneMatch, unmodifiedSince) : undefined;
  }

  /** Binds them to the record that the request names, before plugins can write another one in its name. */
  bind(record: string): void {
    this.target ??= record;
  }

  /** Whether they hold for this record, such as `tribe_events 53`, or for the new one of a type. */
  areFor(record: string): boolean {
    this.bind(record);
    // A write that is sent again was checked when it was committed.
    if (getStore()?.results?.isReplay) return false;
    return !this.isOver && this.target === record;
  }

  /** Ends them, as the record was written. */
  end(): void {
    this.isOver = true;
  }

  /** Throws 412 unless a record may be changed in this state. */
  checkExisting({ tag, modifiedAt }: RecordState): void {
    const { ifMatch, ifNoneMatch, unmodifiedSince } = this;
    if (ifMatch && !ifMatch.isAny && !ifMatch.strong.has(tag))
      throw failed('The record has changed: If-Match does not name its current ETag.');
    if (ifNoneMatch && (ifNoneMatch.isAny || ifNoneMatch.all.has(tag)))
      throw failed('The record exists: If-None-Match excludes it.');
    if (unmodifiedSince !== undefined && modifiedAt !== undefined && modifiedAt > unmodifiedSince)
      throw failed('The record has changed since If-Unmodified-Since.');
  }

  /** Throws for a new record if another one has its slug; `find` looks for that one, and is undefined if no slug was sent. */
  async checkNew(find: (() => Promise<unknown>) | undefined): Promise<void> {
    if (this.ifMatch) throw failed('If-Match needs an existing record.');
    if (!this.ifNoneMatch?.isAny) return;
    if (!find) throw invalidParameter('slug', 'If-None-Match: * is only for new records whose slug is sent.');
    if (await find()) throw failed('A record with this slug exists.');
  }
}

const failed = (message: string) =>
  new RestException('precondition_failed', 'rest_precondition_failed', message);

/** The tags of a header; malformed and foreign ones match nothing. */
function tagList(header: string | undefined): TagList | undefined {
  if (header === undefined) return undefined;
  const list = { isAny: false, strong: new Set<string>(), all: new Set<string>() };
  for (const item of header.split(',').map((one) => one.trim())) {
    const [, weak, tag] = TAG.exec(item) ?? [];
    if (item === '*') list.isAny = true;
    if (tag === undefined) continue;
    list.all.add(tag);
    if (weak === undefined) list.strong.add(tag);
  }
  return list;
}
