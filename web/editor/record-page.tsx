import { useState } from 'preact/hooks';
import { useCopy } from './copy.js';
import { RecordForm } from './form.js';
import { pluralOf, type Resource, type Row } from './model.js';
import { useMoveOnPage } from './move/move-on-page.js';
import { isDateOf, recurrenceOf } from './recurrence/series.js';
import { Revisions } from './revisions/revisions.js';
import { may, mayCreate, mayPublish } from './rights.js';
import { useShell } from './shell.js';
import { decoded } from './texts.js';
import { useRemoval } from './use-removal.js';

/** The server's root, seen from this page. */
const ROOT = location.pathname.endsWith('/') ? '../' : './';

interface RecordPageProps {
  resource: Resource;
  /** Undefined for a new record. */
  id?: number;
  /** The record that a new one begins as a copy of. */
  copy?: number;
  /** The day that a new event begins with. */
  day?: string;
  go: (hash: string) => void;
}

/** The page of one record: its form, and what else may be done with it. */
export function RecordPage({ resource, id, copy, day, go }: RecordPageProps) {
  const shell = useShell();
  const { session, say } = shell;
  const { kind, one, title } = resource;
  const list = `#/${kind}`;
  const removal = useRemoval(
    resource,
    () => go(list),
    (row) => go(`${list}/${row.id}`),
  );
  const copied = useCopy(resource, copy);
  /** Counts the restored revisions: each is shown by another form. */
  const [version, setVersion] = useState(0);
  const move = useMoveOnPage(resource, (to) =>
    to === id ? setVersion((count) => count + 1) : go(`${list}/${to}`),
  );
  if (id === undefined && !mayCreate(session, resource))
    return <NotAllowed text={`You may not create ${pluralOf(resource)}.`} />;

  function saved(row: Row, isNew: boolean, undo?: () => void) {
    const name = decoded(String(row[title] ?? ''));
    say(`${name} was ${isNew ? 'created' : 'saved'}.`, undo);
    if (row.id === id) return;
    shell.setUnsaved(false);
    go(`${list}/${row.id}`);
  }

  return (
    <>
      <p>
        <a href={list}>← {resource.label}</a>
      </p>
      <h1 tabIndex={-1}>{id === undefined ? `New ${one}` : `Edit ${one}`}</h1>
      {copied.problem && (
        <p class="notice danger" role="alert">
          {copied.problem.message}
        </p>
      )}
      {(copy === undefined || copied.values) && (
        <RecordForm
          key={`${id} ${version}`}
          begun={copied.values ?? (day ? begunOn(day) : undefined)}
          prefix="form"
          resource={resource}
          id={id}
          groups={resource.groups}
          saveLabel={(values) =>
            saveLabel(resource, id === undefined, values, mayPublish(session, resource.capabilities))
          }
          onSaved={saved}
          more={(row) => (
            <>
              <span class="muted spread">
                Number {row.id}
                {!resource.isDeclared && (row['status'] ?? 'publish') === 'publish' && (
                  <>
                    {' · '}
                    <a href={`${ROOT}calendar?${one}=${row.id}`} rel="noreferrer" target="_blank">
                      In the calendar
                    </a>
                  </>
                )}
              </span>
              {recurrenceOf(row) && !isDateOf(row) && (
                <span class="muted">This is the whole event with all of its dates.</span>
              )}
              {move.button(row)}
              {!resource.isTerm && mayCreate(session, resource) && (
                <a class="button" href={`${list}/new?copy=${row.id}`}>
                  Duplicate
                </a>
              )}
              {may(session, 'delete', resource, row) && (
                <button type="button" class="danger" onClick={() => removal.remove(row)}>
                  {removal.word}
                </button>
              )}
            </>
          )}
        />
      )}
      {move.dialog}
      {id !== undefined && resource.postType && (
        <Revisions
          key={`revisions ${id} ${version}`}
          resource={resource}
          id={id}
          onRestored={() => setVersion((count) => count + 1)}
        />
      )}
    </>
  );
}

/** A new event on a day, in the morning. */
const begunOn = (day: string) => ({ start_date: `${day}T10:00`, end_date: `${day}T11:00` });

const NotAllowed = ({ text }: { text: string }) => (
  <>
    <h1 tabIndex={-1}>Not allowed</h1>
    <p class="notice">{text}</p>
  </>
);

/** What pressing the button will come to. */
function saveLabel(
  { isTerm, one }: Resource,
  isNew: boolean,
  values: Readonly<Record<string, unknown>>,
  publishes: boolean,
): string {
  if (!isNew) return 'Save changes';
  if (isTerm) return `Create ${one}`;
  if (values['status'] === 'draft') return 'Save draft';
  if (values['status'] === 'pending' || !publishes) return 'Submit for review';
  return values['status'] === 'private' ? 'Create privately' : `Publish ${one}`;
}
