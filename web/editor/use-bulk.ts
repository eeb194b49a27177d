import { useEffect, useState } from 'preact/hooks';
import { fill } from '../../src/pages/texts/fill.js';
import { plural, TEXTS } from './catalogue.js';
import { fieldsOf, type Resource, type Row } from './model.js';
import { problemOf } from './problem.js';
import { recordsOf } from './records.js';
import { recurrenceOf } from './recurrence/series.js';
import { may, mayPublish } from './rights.js';
import { useShell } from './shell.js';

const DONE: Readonly<Record<string, string>> = {
  trash: TEXTS.list.trashed,
  publish: TEXTS.list.published,
  draft: TEXTS.list.drafted,
};

/** What a list offers for several records. */
export type Bulk = ReturnType<typeof useBulk>;

/** Changes the status of several records of a list, one after the other, with a way to undo it. */
export function useBulk(resource: Resource, items: readonly Row[], onDone: () => void) {
  const { session, settings, say, complain } = useShell();
  const records = recordsOf(session.client, resource);
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const [isBusy, setBusy] = useState(false);
  // Only what is seen is changed.
  useEffect(() => setPicked(new Set()), [items]);

  /** Terms have no trash, and dates of a series need an answer each. */
  const mayChange = (row: Row) =>
    !resource.isTerm &&
    settings.trashDays > 0 &&
    recurrenceOf(row) === undefined &&
    may(session, 'edit', resource, row) &&
    may(session, 'delete', resource, row);

  const changeable = items.filter(mayChange);
  const chosen = changeable.filter(({ id }) => picked.has(id));
  const hasStatus = fieldsOf(resource, session, false).some(({ name }) => name === 'status');
  const statusOf = (row: Row) => String(row['status'] ?? 'publish');

  const store = (row: Row, status: string) =>
    status === 'trash' ? records.remove(row.id) : records.update(row.id, { status });

  /** Gives each record its status, and says how many have it; `undoOf` makes the way to undo that. */
  async function storeAll(
    wanted: readonly (readonly [row: Row, status: string])[],
    said: (count: number) => string,
    undoOf?: (done: readonly Row[]) => () => void,
  ): Promise<void> {
    const done: Row[] = [];
    const problems: string[] = [];
    setBusy(true);
    for (const [row, status] of wanted)
      await store(row, status).then(
        () => done.push(row),
        (error) => problems.push(problemOf(error).message),
      );
    setBusy(false);
    onDone();
    const undo = done.length > 0 ? undoOf?.(done) : undefined;
    if (problems.length === 0) return say(said(done.length), undo);
    complain(
      fill(TEXTS.list.notChanged, { n: problems.length, total: wanted.length, problem: problems[0] ?? '' }),
      undo,
    );
  }

  return {
    mayChange,
    isBusy,
    count: chosen.length,
    isEmpty: changeable.length === 0,
    isAll: chosen.length === changeable.length,
    isPicked: (row: Row) => picked.has(row.id),
    pick(row: Row, isPicked: boolean) {
      const others = [...picked].filter((id) => id !== row.id);
      setPicked(new Set(isPicked ? [...others, row.id] : others));
    },
    pickAll: (isPicked: boolean) => setPicked(new Set(isPicked ? changeable.map(({ id }) => id) : [])),
    /** The statuses that are worth offering for the chosen records. */
    offered: ['publish', 'draft', 'trash'].filter(
      (status) =>
        chosen.some((row) => statusOf(row) !== status) &&
        (status === 'trash' || hasStatus) &&
        (status !== 'publish' || mayPublish(session, resource.capabilities)),
    ),
    async change(status: string) {
      const wanted = chosen.filter((row) => statusOf(row) !== status);
      await storeAll(
        wanted.map((row) => [row, status] as const),
        (count) => plural(DONE[status] ?? '', count),
        (done) => () =>
          storeAll(
            done.map((row) => [row, statusOf(row)] as const),
            () => TEXTS.list.undone,
          ),
      );
    },
  };
}
