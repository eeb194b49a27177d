import { AlmanacError } from 'almanac-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { pluralOf, type Resource, type Row } from './model.js';
import { problemOf } from './problem.js';
import { recordsOf } from './records.js';
import { may, mayCreate } from './rights.js';
import { type ListPlace, listHash } from './route.js';
import { useShell } from './shell.js';
import { STATUS_WORDS, titleOf } from './texts.js';
import { useRemoval } from './use-removal.js';

const PER_PAGE = 20;

interface ListPageProps {
  resource: Resource;
  place: ListPlace;
  go: (hash: string) => void;
}

/** A list of records: which ones, words to search for, its pages. */
export function ListPage({ resource, place, go }: ListPageProps) {
  const { session, say } = useShell();
  const { kind, label, one } = resource;
  const many = pluralOf(resource);
  const tabs = resource.tabs.filter(({ forEditors }) => !forEditors || mayCreate(session, resource));
  const tab = tabs.find(({ id }) => id === place.tab) ?? tabs[0];
  const [version, setVersion] = useState(0);
  const listed = useList(resource, place, tab?.query() ?? {}, version);
  const { items, total, totalPages } = listed;

  // Told when the list has come, not while words are typed; after a removal that is the message.
  const announced = useRef('');
  useEffect(() => {
    const search = listHash(kind, place);
    if (items && place.search !== '' && announced.current !== search) say(`${total} found.`);
    if (items) announced.current = search;
  }, [items]);

  const hash = (changes: Partial<ListPlace>) => listHash(kind, { ...place, page: 1, ...changes });
  return (
    <>
      <div class="heading">
        <h1 tabIndex={-1}>{label}</h1>
        {mayCreate(session, resource) && (
          <a class="button primary" href={`#/${kind}/new`}>
            New {one}
          </a>
        )}
      </div>
      <div class="filters">
        {tabs.length > 1 && (
          <nav aria-label={`Which ${many}`}>
            <ul class="tabs">
              {tabs.map(({ id, label: text }) => (
                <li key={id}>
                  <a href={hash({ tab: id })} aria-current={id === tab?.id ? 'page' : undefined}>
                    {text}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        {!resource.isUnsearched && (
          <search>
            <form
              onSubmit={(event) => {
                event.preventDefault();
                const words = new FormData(event.currentTarget).get('search');
                go(hash({ search: String(words).trim() }));
              }}
            >
              <label class="unseen" for="search">
                Search these {many}
              </label>
              <input
                id="search"
                name="search"
                type="search"
                placeholder="Search"
                key={place.search}
                defaultValue={place.search}
              />
              <button type="submit">Search</button>
            </form>
          </search>
        )}
      </div>
      {listed.problem && (
        <p class="notice danger" role="alert">
          {listed.problem}
        </p>
      )}
      {!items && !listed.problem && <p class="muted">Loading …</p>}
      {items?.length === 0 && <p class="empty">{place.search ? 'Nothing found.' : `No ${many} here.`}</p>}
      {items && items.length > 0 && (
        <Rows resource={resource} items={items} onChange={() => setVersion(version + 1)} />
      )}
      {totalPages > 1 && (
        <nav class="pages" aria-label="Pages">
          {place.page > 1 && <a href={hash({ page: place.page - 1 })}>← Previous</a>}
          <span>
            Page {place.page} of {totalPages}
          </span>
          {place.page < totalPages && <a href={hash({ page: place.page + 1 })}>Next →</a>}
        </nav>
      )}
    </>
  );
}

function Rows({
  resource,
  items,
  onChange,
}: {
  resource: Resource;
  items: readonly Row[];
  onChange: () => void;
}) {
  const { session } = useShell();
  const { kind, title, label } = resource;
  const removal = useRemoval(resource, onChange);
  return (
    <div class="card rows">
      <table>
        <caption class="unseen">{label}</caption>
        <thead>
          <tr>
            <th scope="col">{title === 'title' ? 'Title' : 'Name'}</th>
            {resource.columns.map((column) => (
              <th key={column.label} scope="col">
                {column.label}
              </th>
            ))}
            <th scope="col">
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((row) => {
            const name = titleOf(row, title);
            const status = String(row['status'] ?? 'publish');
            const isTrashed = status === 'trash';
            return (
              <tr key={row.id}>
                <th scope="row">
                  {!isTrashed && may(session, 'edit', resource, row) ? (
                    <a href={`#/${kind}/${row.id}`} dir="auto">
                      {name}
                    </a>
                  ) : (
                    name
                  )}
                  {status !== 'publish' && <span class="badge">{STATUS_WORDS[status] ?? status}</span>}
                  {row['hide_from_listings'] === true && <span class="badge">Hidden</span>}
                </th>
                {resource.columns.map((column) => {
                  const note = column.note?.(row);
                  return (
                    <td key={column.label} data-label={column.label}>
                      {column.text(row)}
                      {note && <span class="note">{note}</span>}
                    </td>
                  );
                })}
                <td class="does">
                  {isTrashed && may(session, 'edit', resource, row) && (
                    <button
                      type="button"
                      class="small"
                      aria-label={`Restore ${name}`}
                      onClick={() => removal.restore(row)}
                    >
                      Restore
                    </button>
                  )}
                  {!isTrashed && may(session, 'delete', resource, row) && (
                    <button
                      type="button"
                      class="small"
                      aria-label={`${removal.shortWord} ${name}`}
                      onClick={() => removal.remove(row)}
                    >
                      {removal.shortWord}
                    </button>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface Listed {
  items?: readonly Row[];
  total: number;
  totalPages: number;
  problem?: string;
}

const NOTHING: Listed = { total: 0, totalPages: 0 };

function useList(
  resource: Resource,
  { tab, page, search }: ListPlace,
  query: Readonly<Record<string, string | number | boolean>>,
  version: number,
): Listed {
  const { client } = useShell().session;
  const [listed, setListed] = useState(NOTHING);
  // The query follows from the tab, and is another object each time.
  useEffect(() => {
    const abort = new AbortController();
    const asking = { ...query, ...(search !== '' && { search }), page, per_page: PER_PAGE };
    const list = recordsOf(client, resource).list(asking, { signal: abort.signal });
    list.then(setListed, (error) => {
      if (abort.signal.aborted) return;
      // The last page may have gone with its last record.
      const isGone = error instanceof AlmanacError && error.status === 404 && page > 1;
      setListed(
        isGone
          ? { ...NOTHING, problem: 'There is no such page any more.' }
          : { ...NOTHING, problem: problemOf(error).message },
      );
    });
    return () => abort.abort();
  }, [client, resource, tab, page, search, version]);
  return listed;
}
