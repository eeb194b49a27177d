import { useEffect, useState } from 'preact/hooks';
import { fill } from '../../src/pages/texts/fill.js';
import { TEXTS } from './catalogue.js';
import { fieldsOf, type Resource, type Row, type Values, valuesOf } from './model.js';
import { type Problem, problemOf } from './problem.js';
import { recordsOf } from './records.js';
import { isDateOf, UNKNOWN_RULE } from './recurrence/series.js';
import type { Session } from './session.js';
import { useShell } from './shell.js';

/** What a copy of a record begins with: a draft of this user; of a single date without the rule of its series. */
export function copyOf(resource: Resource, row: Row, session: Session): Values {
  const fields = fieldsOf(resource, session, true);
  const values = valuesOf(fields, row, session);
  const own = valuesOf(
    fields.filter(({ name }) => ['slug', 'date', 'author'].includes(name)),
    undefined,
    session,
  );
  const hasNoRule = isDateOf(row) || values['recurrence'] === UNKNOWN_RULE;
  return {
    ...values,
    ...own,
    ...('status' in values && { status: 'draft' }),
    ...('recurrence' in values && hasNoRule && { recurrence: '' }),
    [resource.title]: fill(TEXTS.form.copyOf, { title: String(values[resource.title] ?? '') }),
  };
}

/** Loads what a copy of a record begins with; nothing without an id. */
export function useCopy(resource: Resource, id: number | undefined): { values?: Values; problem?: Problem } {
  const { session } = useShell();
  const [copy, setCopy] = useState<{ values?: Values; problem?: Problem }>({});
  useEffect(() => {
    if (id === undefined) return;
    const abort = new AbortController();
    recordsOf(session.client, resource)
      .get(id, abort.signal)
      .then(
        (row) => setCopy({ values: copyOf(resource, row, session) }),
        (error) => !abort.signal.aborted && setCopy({ problem: problemOf(error) }),
      );
    return () => abort.abort();
  }, [id]);
  return copy;
}
