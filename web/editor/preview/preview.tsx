import { useState } from 'preact/hooks';
import { TEXTS } from '../catalogue.js';
import { Dialog } from '../dialogs.js';
import { bodyOf, type Field, type Resource, type Values } from '../model.js';
import { type Problem, problemOf } from '../problem.js';
import { keptWhole } from '../records.js';
import { useShell } from '../shell.js';

interface PreviewProps {
  resource: Resource;
  fields: readonly Field[];
  values: Values;
  /** Called with what is wrong with the fields. */
  onProblem: (problem: Problem) => void;
}

/** The button that opens the public page of an event as it is typed in the form, saved or not. */
export function Preview({ resource, fields, values, onProblem }: PreviewProps) {
  const { session, settings } = useShell();
  const [page, setPage] = useState<string>();
  const [isLoading, setLoading] = useState(false);
  if (resource.kind !== 'events' || settings.readOnly) return null;

  async function open() {
    if (isLoading) return;
    setLoading(true);
    try {
      const { recurrence: _rule, ...body } = bodyOf(fields, values, undefined);
      setPage(await session.preview(keptWhole(body)));
    } catch (error) {
      onProblem(problemOf(error));
    } finally {
      setLoading(false);
    }
  }

  return (
    <>
      <button type="button" onClick={open} aria-busy={isLoading}>
        {TEXTS.preview.open}
      </button>
      {page !== undefined && (
        <Dialog title={TEXTS.preview.title} onClose={() => setPage(undefined)}>
          <div class="page-preview">
            <iframe
              title={TEXTS.preview.page}
              // Links open in another tab; scripts of the page do not run.
              sandbox="allow-popups allow-popups-to-escape-sandbox"
              srcdoc={page.replace('<head>', '<head><base target="_blank">')}
            />
            <div class="actions">
              <button type="button" class="primary" autofocus onClick={() => setPage(undefined)}>
                {TEXTS.frame.close}
              </button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
