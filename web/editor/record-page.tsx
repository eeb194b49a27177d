import { useState } from 'preact/hooks';
import { fill } from '../../src/pages/texts/fill.js';
import { TEXTS } from './catalogue.js';
import { useCopy } from './copy.js';
import { RecordForm } from './form.js';
import type { Resource, Row } from './model.js';
import { useMoveOnPage } from './move/move-on-page.js';
import { isDateOf, recurrenceOf } from './recurrence/series.js';
import { Revisions } from './revisions/revisions.js';
import { may, mayCreate, mayPublish } from './rights.js';
import { useShell } from './shell.js';
import { decoded } from './texts.js';
import { useRemoval } from './use-removal.js';

const T = TEXTS.form;

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
  const { kind, one, title, texts } = resource;
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
  const publishes = mayPublish(session, resource.capabilities);
  if (id === undefined && !mayCreate(session, resource)) return <NotAllowed text={T.mayNotCreate} />;

  function saved(row: Row, isNew: boolean, undo?: () => void) {
    const name = decoded(String(row[title] ?? ''));
    if (row.id !== id) {
      shell.setUnsaved(false);
      go(`${list}/${row.id}`);
    }
    say(fill(isNew ? T.created : T.saved, { title: name }), undo);
  }

  return (
    <>
      <p>
        <a href={list}>{fill(T.back, { label: resource.label })}</a>
      </p>
      <h1 tabIndex={-1}>{id === undefined ? texts.new : texts.edit}</h1>
      {copied.problem && (
        <p class="notice danger" role="alert">
          {copied.problem.message}
        </p>
      )}
      {copied.values && <p class="notice">{T.isCopy}</p>}
      {(copy === undefined || copied.values) && (
        <RecordForm
          key={`${id} ${version}`}
          begun={copied.values ?? (day ? begunOn(day) : undefined)}
          prefix="form"
          resource={resource}
          id={id}
          groups={resource.groups}
          saveLabel={(values) => saveLabel(resource, id === undefined, values, publishes)}
          saveAs={(row, values) => otherSave(resource, row, values, publishes)}
          onSaved={saved}
          more={(row) => (
            <>
              <span class="muted spread">
                {fill(TEXTS.frame.number, { id: row.id })}
                {!resource.isDeclared && (row['status'] ?? 'publish') === 'publish' && (
                  <>
                    {' · '}
                    <a href={`${ROOT}calendar?${one}=${row.id}`} rel="noreferrer" target="_blank">
                      {T.inCalendar}
                    </a>
                    {typeof row['url'] === 'string' && (
                      <>
                        {' · '}
                        <a href={row['url']} rel="noreferrer" target="_blank">
                          {T.viewPage}
                        </a>
                      </>
                    )}
                  </>
                )}
              </span>
              {recurrenceOf(row) && !isDateOf(row) && <span class="muted">{T.wholeEvent}</span>}
              {move.button(row)}
              {!resource.isTerm && mayCreate(session, resource) && (
                <a class="button" href={`${list}/new?copy=${row.id}`}>
                  {T.duplicate}
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
    <h1 tabIndex={-1}>{T.notAllowed}</h1>
    <p class="notice">{text}</p>
  </>
);

/** What pressing the button will come to. */
function saveLabel(
  { isTerm, texts }: Resource,
  isNew: boolean,
  values: Readonly<Record<string, unknown>>,
  publishes: boolean,
): string {
  if (!isNew) return T.saveChanges;
  if (isTerm) return texts.create;
  if (values['status'] === 'draft') return T.saveDraft;
  if (values['status'] === 'pending' || !publishes) return T.submit;
  return values['status'] === 'private' ? T.createPrivately : texts.publish;
}

/** The other status that a record is often saved with: a new one as a draft, a draft as published. */
function otherSave(
  { isTerm, isDeclared }: Resource,
  row: Row | undefined,
  { status }: Readonly<Record<string, unknown>>,
  publishes: boolean,
): { label: string; status: string } | undefined {
  if (isTerm || isDeclared || status === undefined) return undefined;
  if (!row) return status === 'draft' ? undefined : { label: T.saveDraft, status: 'draft' };
  const isWaiting = status === 'draft' || status === 'pending';
  return isWaiting && publishes ? { label: TEXTS.list.publish, status: 'publish' } : undefined;
}
