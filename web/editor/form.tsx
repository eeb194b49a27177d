import { useEffect, useRef } from 'preact/hooks';
import { fill } from '../../src/pages/texts/fill.js';
import { listOf, TEXTS } from './catalogue.js';
import { endsBeforeStart, mendedEnd, skippedMinutes, withExistingTimes } from './checks.js';
import { FieldRow, idOf } from './fields.js';
import type { Field, Group, Resource, Row } from './model.js';
import { Preview } from './preview/preview.js';
import type { Problem } from './problem.js';
import { useShell } from './shell.js';
import { shownInstant } from './texts.js';
import { useRecord, type Wanted } from './use-record.js';

const T = TEXTS.form;

interface FormProps extends Wanted {
  /** What its fields' ids begin with. */
  prefix: string;
  groups: readonly Group[];
  saveLabel: (values: Readonly<Record<string, unknown>>) => string;
  /** Another status that a button beside saves with. */
  saveAs?: (
    row: Row | undefined,
    values: Readonly<Record<string, unknown>>,
  ) => { label: string; status: string } | undefined;
  /** Gives it up. */
  onCancel?: () => void;
  /** What else may be done with the record that is shown. */
  more?: (row: Row) => preact.ComponentChildren;
}

/** The form of one record, new or old. */
export function RecordForm({ prefix, groups, saveLabel, saveAs, onCancel, more, ...wanted }: FormProps) {
  const shell = useShell();
  const form = useRef<HTMLFormElement>(null);
  const record = useRecord(wanted);
  const { fields, values, problem, conflict, findings } = record;

  useEffect(() => {
    if (!problem) return;
    const first =
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"], .invalid') ??
      form.current?.querySelector<HTMLElement>('.summary');
    first?.focus();
  }, [problem]);
  useEffect(() => {
    if (conflict) form.current?.querySelector<HTMLElement>('.conflict')?.focus();
  }, [conflict]);

  useEffect(() => {
    if (wanted.isQuick) return;
    const saveByKey = (event: KeyboardEvent) => {
      const isSave = event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey);
      if (!isSave || event.altKey || event.shiftKey) return;
      event.preventDefault();
      if (!document.querySelector('dialog[open]')) form.current?.requestSubmit();
    };
    addEventListener('keydown', saveByKey);
    return () => removeEventListener('keydown', saveByKey);
  }, [wanted.isQuick]);

  useEffect(() => {
    // A button that is switched off loses the focus.
    if (!record.isSending && document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>('[type="submit"]')?.focus();
  }, [record.isSending]);

  if (record.missing)
    return (
      <p class="notice danger" role="alert">
        <bdi>{record.missing.message}</bdi>
      </p>
    );
  if (record.isLoading) return <p class="muted">{TEXTS.frame.loading}</p>;

  const end = fields.find(({ name }) => name === 'end_date');
  const mend = end &&
    endsBeforeStart(values) && {
      label: T.moveEnd,
      do: () => {
        record.change(end, mendedEnd(values, record.before));
        shell.say(T.endMoved);
      },
    };
  const mendOf = (field: Field) => {
    if (skippedMinutes(field.name, values) === 0) return (field === end && mend) || undefined;
    const mended = withExistingTimes(values);
    return {
      label: fill(T.useTime, { time: String(mended[field.name]).slice(11) }),
      do: () => {
        for (const moved of fields) {
          const value = mended[moved.name];
          if (value !== undefined && value !== values[moved.name]) record.change(moved, value);
        }
        shell.say(T.timeMoved);
      },
    };
  };
  const shownIn = (group: Group) =>
    group.fields.filter((field) => fields.some(({ name }) => name === field.name));
  const section = (group: Group) => (
    <section class="card" key={group.title} aria-labelledby={idOf(prefix, group.title)}>
      <h2 id={idOf(prefix, group.title)}>{group.title}</h2>
      {shownIn(group).map((field) => (
        <FieldRow
          key={field.name}
          field={field}
          prefix={prefix}
          row={record.row}
          values={values}
          error={problem?.fields[field.name]}
          at={problem?.paths?.[field.name]}
          warning={findings.warnings[field.name]}
          mend={mendOf(field)}
          onChange={(value) => record.change(field, value)}
          onMove={record.move}
        />
      ))}
    </section>
  );
  const visibleGroups = groups.filter((group) => shownIn(group).length > 0);
  const beside = visibleGroups.filter(({ aside }) => aside);
  const other = saveAs?.(record.row, values);
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        record.save();
      }}
    >
      {record.draft && (
        <div class="notice warning">
          <p>
            {fill(T.draftFound, { time: shownInstant(record.draft.at) })}
            {record.isDraftOutdated && ` ${T.savedSince}`}
          </p>
          <div class="actions start">
            <button type="button" onClick={record.restoreDraft}>
              {T.restoreDraft}
            </button>
            <button type="button" onClick={record.discardDraft}>
              {T.discardDraft}
            </button>
          </div>
        </div>
      )}
      {problem && <Summary problem={problem} fields={fields} prefix={prefix} />}
      {conflict && (
        <div class="notice warning conflict" role="alert" tabIndex={-1}>
          <p>
            <strong>{T.conflict}</strong>{' '}
            {conflict.fields.length > 0
              ? fill(T.theyChanged, { fields: listOf(conflict.fields) })
              : T.noneDiffers}{' '}
            {T.nothingSent}
          </p>
          <div class="actions start">
            <button type="button" onClick={record.takeTheirs}>
              {T.takeTheirs}
            </button>
            <button type="button" onClick={() => record.save(true)}>
              {T.saveMine}
            </button>
          </div>
        </div>
      )}
      <div class={beside.length > 0 ? 'columns' : ''}>
        <div>{visibleGroups.filter(({ aside }) => !aside).map(section)}</div>
        {beside.length > 0 && <div>{beside.map(section)}</div>}
      </div>
      <div class="actions bar">
        {record.row && more && <div class="more">{more(record.row)}</div>}
        {record.isUnsaved && <span class="muted">{T.unsaved}</span>}
        {!wanted.isQuick && (
          <Preview resource={wanted.resource} fields={fields} values={values} onProblem={record.reject} />
        )}
        {onCancel && (
          <button type="button" onClick={onCancel}>
            {TEXTS.frame.cancel}
          </button>
        )}
        {other && (
          <button type="button" disabled={record.isSending} onClick={() => record.saveAs(other.status)}>
            {other.label}
          </button>
        )}
        <button type="submit" class="primary" disabled={record.isSending}>
          {record.isSending ? T.saving : saveLabel(values)}
        </button>
      </div>
    </form>
  );
}

/** Parameters that are no fields. */
const OTHERS: Readonly<Record<string, string>> = { scope: T.whichDates };

/** What went wrong, with a way to each field. */
function Summary({
  problem,
  fields,
  prefix,
}: {
  problem: Problem;
  fields: readonly Field[];
  prefix: string;
}) {
  const shell = useShell();
  const faults = Object.entries(problem.fields);
  return (
    <div class="notice danger summary" role="alert" tabIndex={-1}>
      <p>
        <bdi>{problem.message}</bdi>
      </p>
      {problem.isSignedOut && (
        <button type="button" onClick={shell.signInAgain}>
          {TEXTS.frame.signInAgain}
        </button>
      )}
      {faults.length > 0 && (
        <ul>
          {faults.map(([name, text]) => {
            const field = fields.find((one) => one.name === name);
            const path = problem.paths?.[name];
            const id = idOf(prefix, path === undefined ? name : `${name}.${path}`);
            return (
              <li key={name}>
                {field ? (
                  <button type="button" class="link" onClick={() => document.getElementById(id)?.focus()}>
                    {path === undefined ? field.label : (field.labelAt?.(path) ?? field.label)}
                  </button>
                ) : (
                  (OTHERS[name] ?? name)
                )}
                : <bdi>{text}</bdi>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

/** All groups of a form that is opened over another one: one without a heading of its own. */
export function quickGroups({ groups, texts }: Resource): Group[] {
  return [
    {
      title: texts.new,
      fields: groups.flatMap(({ fields }) => fields).filter(({ quick }) => quick),
    },
  ];
}
