import { useEffect, useRef } from 'preact/hooks';
import type { Row } from './model.js';

/** Finds the row that gets the focus, by its index; -1 for none. */
export type FindRow = (items: readonly Row[]) => number;

/** The focus in the table of a list. */
export type RowFocus = ReturnType<typeof useRowFocus>;

/** Gives the focus to a row once the list is read again, or to the heading: what had it is often gone. */
export function useRowFocus(items: readonly Row[] | undefined) {
  const table = useRef<HTMLTableElement>(null);
  const wanted = useRef<FindRow>();
  useEffect(() => {
    const find = wanted.current;
    wanted.current = undefined;
    const { activeElement, body } = document;
    // Who is elsewhere by now stays there.
    if (!find || (activeElement !== body && !table.current?.contains(activeElement))) return;
    const row = table.current?.tBodies[0]?.rows[find(items ?? [])];
    const control = row?.querySelector<HTMLElement>('a, button') ?? document.querySelector<HTMLElement>('h1');
    control?.focus();
  }, [items]);
  return {
    table,
    next: (find: FindRow) => {
      wanted.current = find;
    },
  };
}

/** Finds the row at an index, or the last one before it. */
export const rowAt =
  (index: number): FindRow =>
  (items) =>
    Math.min(index, items.length - 1);

/** Finds the row of a record. */
export const rowOf =
  (isWanted: (row: Row) => boolean): FindRow =>
  (items) =>
    items.findIndex(isWanted);
