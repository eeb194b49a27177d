import { truncate } from '../../lib/truncate.js';
import type { Comparison } from './compare.js';
import type { Pairing } from './compare-json.js';
import type { Difference } from './difference.js';
import type { JsonRecord } from './parsed-response.js';

/** Maximum whole records waiting for their page on the other server; of further ones only ids are stored. */
const WHOLE = 200;

/** Unpaired records of a walked list, and its totals. */
export interface PendingList {
  old: JsonRecord[];
  new: JsonRecord[];
  total?: Difference | undefined;
}

interface Pending {
  old: Map<string, JsonRecord>;
  new: Map<string, JsonRecord>;
  total?: Difference | undefined;
}

/** Compares the records of a list across all pages: a record missing on an early page shifts all others. */
export class ListPages {
  private readonly lists = new Map<string, Pending>();

  constructor(saved: Record<string, PendingList> = {}) {
    for (const [list, { old, new: now, total }] of Object.entries(saved))
      this.lists.set(list, { old: byId(old), new: byId(now), total });
  }

  /** Adds the unpaired records of a page; returns newly completed pairs. */
  take(list: string, { onlyOld, onlyNew, differences }: Comparison): Pairing['pairs'] {
    const pending = this.lists.get(list) ?? { old: byId([]), new: byId([]) };
    this.lists.set(list, pending);
    // Totals repeat on each page, and may follow from known differences.
    const at = differences.findIndex(({ of, path }) => of === `${list} list` && path === 'total');
    if (at >= 0) pending.total = differences.splice(at, 1)[0];
    const pairs = [
      ...onlyOld.flatMap((old) => meet(old, pending.new, pending.old).map((now) => ({ old, new: now }))),
      ...onlyNew.flatMap((now) => meet(now, pending.old, pending.new).map((old) => ({ old, new: now }))),
    ];
    return pairs.filter((pair) => !isShort(pair.old) && !isShort(pair.new));
  }

  /** The remaining differences after the last page; forgets the list. */
  end(list: string): Difference[] {
    const { old, new: now, total } = this.saved()[list] ?? { old: [], new: [] };
    this.lists.delete(list);
    const of = `${list} list`;
    return [
      ...old.map((record): Difference => ({ of, path: '', sort: 'missing', old: record, new: undefined })),
      ...now.map((record): Difference => ({ of, path: '', sort: 'extra', old: undefined, new: record })),
      ...(total ? [total] : []),
    ];
  }

  /** Number of records that Almanac has not returned so far. */
  missing(list: string): number {
    return this.lists.get(list)?.old.size ?? 0;
  }

  /** State for a file. */
  saved(): Record<string, PendingList> {
    return Object.fromEntries(
      [...this.lists].map(([list, { old, new: now, total }]) => [
        list,
        { old: [...old.values()], new: [...now.values()], total },
      ]),
    );
  }
}

const byId = (records: JsonRecord[]) => new Map(records.map((record) => [`${record.id}`, record]));

/** Returns the waiting partner of a record, or queues the record. */
function meet(
  record: JsonRecord,
  there: Map<string, JsonRecord>,
  here: Map<string, JsonRecord>,
): JsonRecord[] {
  const partner = there.get(`${record.id}`);
  there.delete(`${record.id}`);
  const { id, status } = record;
  const short = { id, isShort: true, ...(typeof status === 'string' && { status: truncate(status, 20) }) };
  if (!partner) here.set(`${id}`, here.size < WHOLE ? record : short);
  return partner ? [partner] : [];
}

const isShort = (record: JsonRecord): boolean => record['isShort'] === true;
