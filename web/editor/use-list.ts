import { AlmanacError } from 'almanac-client';
import { useEffect, useState } from 'preact/hooks';
import { TEXTS } from './catalogue.js';
import type { Resource, Row, Tab } from './model.js';
import { problemOf } from './problem.js';
import { recordsOf } from './records.js';
import { type ListPlace, listHash } from './route.js';
import { useShell } from './shell.js';

const PER_PAGE = 20;

/** Orders of lists besides that of the tab. */
export const SORTS: Readonly<Record<string, { label: string; orderby: string; order: 'asc' | 'desc' }>> = {
  title: { label: TEXTS.fields.title, orderby: 'title', order: 'asc' },
  changed: { label: TEXTS.list.lastChanged, orderby: 'modified', order: 'desc' },
  created: { label: TEXTS.list.newest, orderby: 'date', order: 'desc' },
};

/** What a list asks for besides its page. */
function queryOf(tab: Tab | undefined, { search, sort, month, filters }: ListPlace) {
  const { label: _, ...order } = SORTS[sort] ?? { label: '' };
  const [year, number] = month.split('-').map(Number);
  // A day that is named as the edge belongs to the list: edges are the ends of days.
  const last = year && number ? new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) : '';
  return {
    ...tab?.query(),
    ...order,
    ...filters,
    ...(search !== '' && { search }),
    ...(month !== '' && { start_date: `${month}-01`, starts_before: last }),
  };
}

interface Listed {
  items?: readonly Row[];
  total: number;
  totalPages: number;
  problem?: string;
}

const NOTHING: Listed = { total: 0, totalPages: 0 };

/** The records of a list; another `version` reads them again. */
export function useList(resource: Resource, tab: Tab | undefined, place: ListPlace, version: number): Listed {
  const { page } = place;
  const address = listHash(resource.kind, place);
  const { client } = useShell().session;
  const [listed, setListed] = useState(NOTHING);
  // The query follows from the address, and is another object each time.
  useEffect(() => {
    const abort = new AbortController();
    const asking = { ...queryOf(tab, place), page, per_page: PER_PAGE };
    const list = recordsOf(client, resource).list(asking, { signal: abort.signal });
    list.then(setListed, (error) => {
      if (abort.signal.aborted) return;
      // The last page may have gone with its last record.
      const isGone = error instanceof AlmanacError && error.status === 404 && page > 1;
      setListed(
        isGone
          ? { ...NOTHING, problem: TEXTS.list.noPage }
          : { ...NOTHING, problem: problemOf(error).message },
      );
    });
    return () => abort.abort();
  }, [client, resource, address, version]);
  return listed;
}
