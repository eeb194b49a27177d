import { useState } from 'preact/hooks';
import { useShell } from '../shell.js';
import type { RevisionList, RevisionsProps } from './revision-list.js';

const TEXTS = { title: 'Revisions', failed: 'The revisions could not be loaded.' } as const;

/** The earlier texts of a record, which are loaded when they are first opened. */
export function Revisions(props: RevisionsProps) {
  const { complain } = useShell();
  const [module, setModule] = useState<{ List: typeof RevisionList }>();

  async function open() {
    try {
      setModule({ List: (await import('./revision-list.js')).RevisionList });
    } catch {
      complain(TEXTS.failed);
    }
  }
  return (
    <details class="card revisions" onToggle={({ currentTarget }) => currentTarget.open && !module && open()}>
      <summary>{TEXTS.title}</summary>
      {module && <module.List {...props} />}
    </details>
  );
}
