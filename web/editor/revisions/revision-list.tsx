import { AlmanacError } from 'almanac-client';
import { useEffect, useState } from 'preact/hooks';
import { fill } from '../../../src/pages/texts/fill.js';
import { versionOf } from '../autosave.js';
import { LOCALE, TEXTS } from '../catalogue.js';
import type { Resource, Row } from '../model.js';
import { messageOf, problemOf } from '../problem.js';
import { recordsOf } from '../records.js';
import { isDateOf } from '../recurrence/series.js';
import type { Revision } from '../session.js';
import { useShell } from '../shell.js';
import { shownMoment } from '../texts.js';
import { Difference } from './difference.js';

export interface RevisionsProps {
  resource: Resource;
  id: number;
  /** Called after the texts of a revision were stored. */
  onRestored: () => void;
}

/** The texts of a record, by their names in the interface. */
type Texts = Readonly<Record<string, string>>;

/** The revisions of a record beside its texts of today. */
export function RevisionList({ resource, id, onRestored }: RevisionsProps) {
  const shell = useShell();
  const { session } = shell;
  const records = recordsOf(session.client, resource);
  const [page, setPage] = useState(1);
  const [found, setFound] = useState<{ items: readonly Revision[]; totalPages: number }>();
  const [now, setNow] = useState<Row>();
  const [chosen, setChosen] = useState<Revision>();
  const [problem, setProblem] = useState('');

  useEffect(() => {
    const abort = new AbortController();
    async function load(signal: AbortSignal) {
      const read = page === 1 ? await records.get(id, signal) : undefined;
      if (read) setNow(read);
      if (read && isDateOf(read)) return;
      const { items, totalPages } = await session.revisions(resource.postType ?? '', id, page, signal);
      setFound((before) => {
        const known = new Set(before?.items.map((one) => one.id));
        return {
          items: [...(before?.items ?? []), ...items.filter((one) => !known.has(one.id))],
          totalPages,
        };
      });
    }
    load(abort.signal).catch((error) => !abort.signal.aborted && setProblem(problemOf(error).message));
    return () => abort.abort();
  }, [id, page]);

  const textsOf = ({ title, description, excerpt }: Revision | Record<string, string>): Texts => ({
    [resource.title]: title ?? '',
    description: description ?? '',
    ...(resource.kind === 'events' && { excerpt: excerpt ?? '' }),
  });

  async function restore(revision: Revision, row: Row) {
    const date = shownMoment(revision.date);
    const names = Object.keys(textsOf(revision)).map((name) => labelOf(resource.groups, name));
    const fields = new Intl.ListFormat(LOCALE).format(names);
    const text = [
      fill(TEXTS.revisions.consequence, { fields, date }),
      ...(shell.isUnsaved() ? [TEXTS.revisions.unsaved] : []),
    ].join(' ');
    if (!(await shell.ask({ title: TEXTS.revisions.question, text, yes: TEXTS.revisions.restore }))) return;
    const before = textsOf(row['raw'] as Record<string, string>);
    await store(row, textsOf(revision), fill(TEXTS.revisions.restored, { date }), (saved) => {
      if (shell.isUnsaved()) shell.complain(TEXTS.form.saveFirst);
      else store(saved, before, TEXTS.revisions.undone);
    });
  }

  /** Stores texts unless somebody else has saved the record since. */
  async function store(read: Row, texts: Texts, said: string, undo?: (saved: Row) => void) {
    try {
      const current = await records.get(id);
      if (versionOf(current) !== versionOf(read)) return shell.complain(TEXTS.revisions.changed);
      await records.update(id, texts, current);
      const saved = await records.get(id);
      shell.say(said, undo && (() => undo(saved)));
      onRestored();
    } catch (error) {
      if (error instanceof AlmanacError && error.status === 412)
        return shell.complain(TEXTS.revisions.changed);
      shell.complain(messageOf(error));
    }
  }

  if (problem)
    return (
      <p class="notice danger" role="alert">
        {problem}
      </p>
    );
  if (now && isDateOf(now)) return <p class="muted">{TEXTS.revisions.date}</p>;
  if (!found || !now) return <p class="muted">{TEXTS.frame.loading}</p>;
  const today = textsOf(now['raw'] as Record<string, string>);
  const theirs = chosen && textsOf(chosen);
  const isSame = theirs && Object.keys(today).every((name) => theirs[name] === today[name]);
  return (
    <>
      {found.items.length === 0 && <p class="muted">{TEXTS.revisions.none}</p>}
      <ul aria-label={TEXTS.revisions.list}>
        {found.items.map((revision) => (
          <li key={revision.id}>
            <button
              type="button"
              class="small"
              aria-pressed={revision === chosen}
              onClick={() => setChosen(revision)}
            >
              {[shownMoment(revision.date), revision.author].filter(Boolean).join(', ')}
              {revision.isAutosave && ` (${TEXTS.revisions.autosave})`}
            </button>
          </li>
        ))}
      </ul>
      {page < found.totalPages && (
        <button type="button" class="small" onClick={() => setPage(page + 1)}>
          {TEXTS.revisions.older}
        </button>
      )}
      <div aria-live="polite">
        {chosen && theirs && (
          <div class="comparison">
            <p class="help">{isSame ? TEXTS.revisions.same : TEXTS.revisions.help}</p>
            {Object.keys(today).map((name) => (
              <Difference
                key={name}
                label={labelOf(resource.groups, name)}
                before={today[name] ?? ''}
                after={theirs[name] ?? ''}
              />
            ))}
            {!isSame && (
              <button type="button" class="primary" onClick={() => restore(chosen, now)}>
                {TEXTS.revisions.restore}
              </button>
            )}
          </div>
        )}
      </div>
    </>
  );
}

const labelOf = (groups: Resource['groups'], name: string): string =>
  groups.flatMap(({ fields }) => fields).find((field) => field.name === name)?.label ?? name;
