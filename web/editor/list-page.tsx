import { useEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../src/pages/texts/fill.js';
import { plural, TEXTS } from './catalogue.js';
import { ListFilters } from './list-filters.js';
import type { Resource } from './model.js';
import type { MonthView } from './month/month-view.js';
import { nounsOf } from './nouns.js';
import { mayCreate } from './rights.js';
import { type ListPlace, listHash } from './route.js';
import { useRowFocus } from './row-focus.js';
import { Rows } from './rows.js';
import { useShell } from './shell.js';
import { useList } from './use-list.js';

interface ListPageProps {
  resource: Resource;
  place: ListPlace;
  go: (hash: string) => void;
}

/** A list of records: which ones, words to search for, its pages; of events also a month. */
export function ListPage({ resource, place, go }: ListPageProps) {
  const { session, say } = useShell();
  const { kind, label } = resource;
  const many = nounsOf(resource);
  const tabs = resource.tabs.filter(({ forEditors }) => !forEditors || mayCreate(session, resource));
  const tab = tabs.find(({ id }) => id === place.tab) ?? tabs[0];
  const all = tabs.find(({ id }) => id === 'all');
  const [version, setVersion] = useState(0);
  const isMonth = place.view === 'month' && kind === 'events';
  const Month = useMonthView(isMonth);
  const listed = useList(resource, tab, place, version);
  const { items, total, totalPages } = listed;
  const focus = useRowFocus(items);

  // Told when the list has come, not while words are typed; after a removal that is the message.
  const announced = useRef('');
  useEffect(() => {
    const search = listHash(kind, place);
    if (items && place.search !== '' && announced.current !== search) say(plural(TEXTS.list.found, total));
    if (items) announced.current = search;
  }, [items]);

  const isNarrowed = place.search !== '' || place.month !== '' || Object.keys(place.filters).length > 0;
  const hash = (changes: Partial<ListPlace>) => listHash(kind, { ...place, page: 1, ...changes });
  return (
    <>
      <div class="heading">
        <h1 tabIndex={-1}>{label}</h1>
        {kind === 'events' && (
          <nav class="views" aria-label={TEXTS.list.view}>
            {(['', 'month'] as const).map((view) => (
              <a
                key={view}
                href={hash({ view, tab: '' })}
                aria-current={isMonth === (view === 'month') ? 'page' : undefined}
              >
                {TEXTS.list[view || 'list']}
              </a>
            ))}
          </nav>
        )}
        {mayCreate(session, resource) && (
          <a class="button primary" href={`#/${kind}/new`}>
            {resource.texts.new}
          </a>
        )}
      </div>
      <div class="filters">
        {!isMonth && tabs.length > 1 && (
          <nav aria-label={fill(TEXTS.list.which, { many })}>
            <ul class="tabs">
              {tabs.map(({ id, label: text }) => (
                <li key={id}>
                  <a href={hash({ tab: id, month: '' })} aria-current={id === tab?.id ? 'page' : undefined}>
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
                {fill(TEXTS.list.searchThese, { many })}
              </label>
              <input
                id="search"
                name="search"
                type="search"
                placeholder={TEXTS.list.search}
                key={place.search}
                defaultValue={place.search}
              />
              <button type="submit">{TEXTS.list.search}</button>
            </form>
          </search>
        )}
      </div>
      {!resource.isTerm && !resource.isDeclared && (
        <ListFilters
          resource={resource}
          place={place}
          isMonth={isMonth}
          // Past and Upcoming have a time of their own.
          onChange={(changes) => go(hash(changes.month && !isMonth ? { ...changes, tab: 'all' } : changes))}
        />
      )}
      {place.search !== '' && all && (isMonth || tab?.id !== all.id) && (
        <p class="muted">
          {isMonth ? TEXTS.list.searchedMonth : fill(TEXTS.list.searchedOnly, { where: tab?.label ?? '' })}{' '}
          <a href={hash({ view: '', tab: all.id, month: '' })}>{fill(TEXTS.list.searchAll, { many })}</a>
        </p>
      )}
      {isMonth && Month && (
        <Month resource={resource} place={place} onMonth={(month) => go(hash({ month }))} go={go} />
      )}
      {!isMonth && (
        <>
          {listed.problem && (
            <p class="notice danger" role="alert">
              {listed.problem}
            </p>
          )}
          {!items && !listed.problem && <p class="muted">{TEXTS.frame.loading}</p>}
          {items?.length === 0 && (
            <p class="empty">{isNarrowed ? TEXTS.list.nothingFound : fill(TEXTS.list.none, { many })}</p>
          )}
          {items && items.length > 0 && (
            <Rows
              resource={resource}
              items={items}
              focus={focus}
              onChange={(row) => {
                focus.next(row);
                setVersion((old) => old + 1);
              }}
            />
          )}
          {totalPages > 1 && (
            <nav class="pages" aria-label={TEXTS.list.pages}>
              {place.page > 1 && (
                <a href={hash({ page: place.page - 1 })}>
                  <Arrow /> {TEXTS.list.previous}
                </a>
              )}
              <span>{fill(TEXTS.list.page, { page: place.page, pages: totalPages })}</span>
              {place.page < totalPages && (
                <a href={hash({ page: place.page + 1 })}>
                  {TEXTS.list.next} <Arrow isNext />
                </a>
              )}
            </nav>
          )}
        </>
      )}
    </>
  );
}

/** An arrow in the direction of reading, or back. */
const Arrow = ({ isNext = false }: { isNext?: boolean }) => (
  <span class={isNext ? 'arrow next' : 'arrow'} aria-hidden="true" />
);

/** The view of a month, which is loaded when it is first shown. */
function useMonthView(isWanted: boolean): typeof MonthView | undefined {
  const { complain } = useShell();
  const [view, setView] = useState<{ Month: typeof MonthView }>();
  useEffect(() => {
    if (!isWanted || view) return;
    import('./month/month-view.js').then(
      ({ MonthView: Month }) => setView({ Month }),
      () => complain(TEXTS.list.monthFailed),
    );
  }, [isWanted]);
  return view?.Month;
}
