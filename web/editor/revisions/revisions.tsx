import { useState } from 'preact/hooks';
import { TEXTS } from '../catalogue.js';
import { useShell } from '../shell.js';
import type { RevisionList, RevisionsProps } from './revision-list.js';

/** The earlier texts of a record, which are loaded when they are first opened. */
export function Revisions(props: RevisionsProps) {
  const { complain } = useShell();
  const [module, setModule] = useState<{ List: typeof RevisionList }>();

  async function open() {
    try {
      setModule({ List: (await import('./revision-list.js')).RevisionList });
    } catch {
      complain(TEXTS.revisions.failed);
    }
  }
  return (
    <details class="card revisions" onToggle={({ currentTarget }) => currentTarget.open && !module && open()}>
      <summary>{TEXTS.revisions.title}</summary>
      {module && <module.List {...props} />}
    </details>
  );
}
