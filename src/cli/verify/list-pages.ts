import type { JsonRecord } from './answer.js';
import { truncate } from '../../lib/truncate.js';
import type { Comparison } from './compare.js';
import type { Pairing } from './compare-json.js';
import type { Difference } from './difference.js';

/** How many whole records wait for the page that has them on the other server; of further ones the id only. */
const WHOLE = 200;

/** Records of one walked list that only one server has shown so far, and its totals. */
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

/**
 * Compares which records a list has over all of its pages: one that is missing on an early page moves all others, which must
 * not count.
 */
export class ListPages {
  private readonly lists = new Map<string, Pending>();

  constructor(saved: Record<string, PendingList> = {}) {
    for (const [list, { old, new: now, total }] of Object.entries(saved))
      this.lists.set(list, { old: byId(old), new: byId(now), total });
  }

  /** Takes what one page has and the other has not; returns the pairs that are complete now. */
  take(list: string, { onlyOld, onlyNew, differences }: Comparison): Pairing['pairs'] {
    const pending = this.lists.get(list) ?? { old: byId([]), new: byId([]) };
    this.lists.set(list, pending);
    // The totals are the same on each page, and may follow from records that are meant to differ.
    const at = differences.findIndex(({ of, path }) => of === `${list} list` && path === 'total');
    if (at >= 0) pending.total = differences.splice(at, 1)[0];
    const pairs = [
      ...onlyOld.flatMap((old) => meet(old, pending.new, pending.old).map((now) => ({ old, new: now }))),
      ...onlyNew.flatMap((now) => meet(now, pending.old, pending.new).map((old) => ({ old, new: now }))),
    ];
    return pairs.filter((pair) => !isShort(pair.old) && !isShort(pair.new));
  }

  /** What is left when the last page is compared; forgets the list. */
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

  /** How many records of a list Almanac has not shown so far. */
  missing(list: string): number {
    return this.lists.get(list)?.old.size ?? 0;
  }

  /** All of it, for a file. */
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

/** The record's partner, if it waits there already; else the record waits for it. */
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
