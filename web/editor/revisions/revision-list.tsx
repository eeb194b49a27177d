import { useEffect, useState } from 'preact/hooks';
import { versionOf } from '../autosave.js';
import type { Resource, Row } from '../model.js';
import { problemOf } from '../problem.js';
import { recordsOf } from '../records.js';
import type { Revision } from '../session.js';
import { useShell } from '../shell.js';
import { shownMoment } from '../texts.js';
import { Difference } from './difference.js';

const TEXTS = {
  none: 'There are none yet: the first is stored with the next change of title, description or excerpt.',
  list: 'Revisions, the newest first',
  autosave: 'autosave',
  older: 'Show older ones',
  same: 'These are the texts of today.',
  help: 'Struck out: only in the text of today. Underlined: only in this revision.',
  restore: 'Restore these texts',
  question: 'Restore these texts?',
  consequence:
    'Title, description and excerpt become those of {date}. What is typed in the form and not saved is dropped.',
  restored: 'The texts of {date} are restored.',
  undone: 'The texts are as before.',
  changed: 'Somebody else has saved this meanwhile, so nothing was restored.',
} as const;

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
    const fail = (error: unknown) => !abort.signal.aborted && setProblem(problemOf(error).message);
    session
      .revisions(resource.postType ?? '', id, page, abort.signal)
      .then(
        ({ items, totalPages }) =>
          setFound((before) => ({ items: [...(before?.items ?? []), ...items], totalPages })),
        fail,
      );
    if (page === 1) records.get(id, abort.signal).then(setNow, fail);
    return () => abort.abort();
  }, [id, page]);

  const textsOf = ({ title, description, excerpt }: Revision | Record<string, string>): Texts => ({
    [resource.title]: title ?? '',
    description: description ?? '',
    ...(resource.kind === 'events' && { excerpt: excerpt ?? '' }),
  });

  async function restore(revision: Revision, row: Row) {
    const date = shownMoment(revision.date);
    const text = TEXTS.consequence.replace('{date}', date);
    if (!(await shell.ask({ title: TEXTS.question, text, yes: TEXTS.restore }))) return;
    const before = textsOf(row['raw'] as Record<string, string>);
    await store(row, textsOf(revision), TEXTS.restored.replace('{date}', date), (saved) =>
      store(saved, before, TEXTS.undone),
    );
  }

  /** Stores texts unless somebody else has saved the record since. */
  async function store(read: Row, texts: Texts, said: string, undo?: (saved: Row) => void) {
    try {
      if (versionOf(await records.get(id)) !== versionOf(read)) return shell.complain(TEXTS.changed);
      const saved = await records.update(id, texts);
      shell.say(said, undo && (() => undo(saved)));
      onRestored();
    } catch (error) {
      const { message, fields } = problemOf(error);
      shell.complain(Object.values(fields)[0] ?? message);
    }
  }

  if (problem)
    return (
      <p class="notice danger" role="alert">
        {problem}
      </p>
    );
  if (!found || !now) return <p class="muted">Loading …</p>;
  const today = textsOf(now['raw'] as Record<string, string>);
  const theirs = chosen && textsOf(chosen);
  const isSame = theirs && Object.keys(today).every((name) => theirs[name] === today[name]);
  return (
    <>
      {found.items.length === 0 && <p class="muted">{TEXTS.none}</p>}
      <ul aria-label={TEXTS.list}>
        {found.items.map((revision) => (
          <li key={revision.id}>
            <button
              type="button"
              class="small"
              aria-pressed={revision === chosen}
              onClick={() => setChosen(revision)}
            >
              {[shownMoment(revision.date), revision.author].filter(Boolean).join(', ')}
              {revision.isAutosave && ` (${TEXTS.autosave})`}
            </button>
          </li>
        ))}
      </ul>
      {page < found.totalPages && (
        <button type="button" class="small" onClick={() => setPage(page + 1)}>
          {TEXTS.older}
        </button>
      )}
      {chosen && theirs && (
        <div class="comparison" aria-live="polite">
          <p class="help">{isSame ? TEXTS.same : TEXTS.help}</p>
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
              {TEXTS.restore}
            </button>
          )}
        </div>
      )}
    </>
  );
}

const labelOf = (groups: Resource['groups'], name: string): string =>
  groups.flatMap(({ fields }) => fields).find((field) => field.name === name)?.label ?? name;
