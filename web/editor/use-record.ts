import { AlmanacError } from 'almanac-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatWallClock } from '../../src/lib/wordpress-text/dates/wall-clock.js';
import { draftKey, useDraft, versionOf } from './autosave.js';
import { TEXTS } from './catalogue.js';
import { check, withUsualEnd } from './checks.js';
import {
  bodyOf,
  type Field,
  fieldsOf,
  isSame,
  type Resource,
  type Row,
  type Value,
  type Values,
  valuesOf,
} from './model.js';
import { messageOf, type Problem, problemOf } from './problem.js';
import { recordsOf } from './records.js';
import { saveQuestion } from './recurrence/scope-questions.js';
import { isDateOf, recurrenceField, spanOf } from './recurrence/series.js';
import { followingValue, withMovedRule } from './recurrence/view-series.js';
import { useShell } from './shell.js';

const T = TEXTS.form;

/** What is wanted of a form. */
export interface Wanted {
  resource: Resource;
  /** The record; a new one without. */
  id?: number;
  /** What a new record begins with. */
  begun?: Values;
  /** Only the fields that are asked for beside another form. */
  isQuick?: boolean;
  /** Called with the record as it is stored now. */
  onSaved: (row: Row, isNew: boolean, undo?: () => void) => void;
}

/** A record that another user saved since it was opened here. */
interface Conflict {
  row: Row;
  /** Labels of the fields in which theirs differs. */
  fields: readonly string[];
  /** What is stored is what was typed here: it arrived, only its answer did not. */
  isMine: boolean;
}

/** One record between the interface and a form: what was read, what was typed, what is wrong, what is sent. */
export function useRecord({ resource, id, begun, isQuick = false, onSaved }: Wanted) {
  const shell = useShell();
  const records = recordsOf(shell.session.client, resource);
  const fields = fieldsOf(resource, shell.session, id === undefined).filter(({ quick }) => !isQuick || quick);
  const [row, setRow] = useState<Row>();
  const [values, setValues] = useState<Values>(() => ({
    ...valuesOf(fields, undefined, shell.session),
    ...begun,
  }));
  const [before, setBefore] = useState<Values>(values);
  const [missing, setMissing] = useState<Problem>();
  const [problem, setProblem] = useState<Problem>();
  const [conflict, setConflict] = useState<Conflict>();
  const [isSending, setSending] = useState(false);
  const isBusy = useRef(false);
  /** The last values with a complete start. */
  const dated = useRef(values);
  const isNew = id === undefined;
  const stored = isNew ? undefined : before;

  function show(read: Row) {
    const now = valuesOf(fields, read, shell.session);
    setRow(read);
    setValues(now);
    setBefore(now);
    setProblem(undefined);
    setConflict(undefined);
  }

  // Read once for each record: later, what was typed counts.
  useEffect(() => {
    if (id === undefined) return;
    const abort = new AbortController();
    records.get(id, abort.signal).then(show, (error) => {
      if (!abort.signal.aborted) setMissing(problemOf(error));
    });
    return () => abort.abort();
  }, [id]);

  const isUnsaved = fields.some(({ name }) => !isSame(values[name], before[name]));
  useEffect(() => {
    if (isQuick) return;
    shell.setUnsaved(isUnsaved);
    return () => shell.setUnsaved(false);
  }, [isUnsaved]);
  const latest = useRef(isUnsaved);
  latest.current = isUnsaved;

  const typed = fields.flatMap(({ name }) =>
    isSame(values[name], before[name]) ? [] : [[name, values[name] ?? '']],
  );
  const draft = useDraft(
    isQuick ? undefined : draftKey(shell.session.id, resource.kind, id),
    fields.map(({ name }) => name),
    Object.fromEntries(typed),
    row,
  );

  function change(field: Field, value: Value) {
    setValues((old) => {
      const changed = { ...old, [field.name]: value };
      if (spanOf(old)) dated.current = old;
      // A stored rule moves with its event on the server.
      const followed = isSame(old['recurrence'], stored?.['recurrence'])
        ? changed
        : withMovedRule(changed, dated.current);
      return isNew && resource.kind === 'events' ? withUsualEnd(followed, old) : followed;
    });
    if (problem?.fields[field.name] === undefined) return;
    const { [field.name]: _mended, ...others } = problem.fields;
    setProblem({ ...problem, fields: others });
  }

  /** Moves an event to another start, in wall seconds; it lasts as long as before. */
  function move(start: number) {
    setValues((old) => {
      const span = spanOf(old);
      const clock = (wall: number) => formatWallClock(wall).slice(0, 16).replace(' ', 'T');
      return span
        ? { ...old, start_date: clock(start), end_date: clock(start + span.end - span.start) }
        : old;
    });
  }

  /** The version another user has saved meanwhile, if any. */
  async function changedMeanwhile(read: Row, sent: Values): Promise<Conflict | undefined> {
    const now = await records.get(read.id);
    const theirs = valuesOf(fields, now, shell.session);
    const differing = fields.filter(({ name }) => !isSame(theirs[name], before[name]));
    if (versionOf(now) === versionOf(read) && differing.length === 0) return undefined;
    const isMine = fields.every(({ name }) => isSame(theirs[name], sent[name]));
    return { row: now, fields: differing.map(({ label }) => label), isMine };
  }

  async function send(sent: Values, overwrites: boolean) {
    const body = bodyOf(fields, sent, stored);
    if (!row) return onSaved(await records.create(body), true);
    const meanwhile = overwrites ? undefined : await changedMeanwhile(row, sent);
    if (meanwhile && !meanwhile.isMine) return setConflict(meanwhile);
    const saved = meanwhile?.row ?? (await update(row, body, sent));
    if (!saved) return;
    if (saved.id !== row.id) return onSaved(saved, false);
    show(saved);
    // Another rule has dropped dates, and what was changed of them.
    const mayUndo = !isDateOf(row) && !('recurrence' in body);
    onSaved(saved, false, mayUndo ? () => undo(saved, before) : undefined);
  }

  /** Stores the values from before a save again, unless the record was changed since. */
  async function undo(saved: Row, old: Values) {
    if (latest.current) return shell.complain(T.saveFirst);
    try {
      const now = await records.get(saved.id);
      if (versionOf(now) !== versionOf(saved)) return shell.complain(T.notUndone);
      await records.update(saved.id, bodyOf(fields, old, valuesOf(fields, saved, shell.session)));
      show(await records.get(saved.id));
      shell.say(T.undone);
    } catch (error) {
      shell.complain(messageOf(error));
    }
  }

  /** The record as it is stored after an update; undefined where that was given up. */
  async function update(read: Row, body: object, sent: Values): Promise<Row | undefined> {
    const isDate = isDateOf(read);
    const question = isDate && saveQuestion(sent, read, shell.settings.recurrenceOff);
    const scope = question && (await shell.askScope(question));
    if (isDate && !scope) return undefined;
    const isRuleSent = scope === 'following' && 'recurrence' in body;
    const part = isRuleSent && { recurrence: recurrenceField.write?.(followingValue(sent, read)) };
    const updated = await records.update(read.id, scope ? { ...body, ...part, scope } : body);
    // A date that became an event of its own, or moved to another day, has another id.
    return records.get(read.id).catch((error) => {
      if (error instanceof AlmanacError && error.status === 404) return records.get(updated.id);
      throw error;
    });
  }

  /** Sends what was typed, once, if nothing is wrong with it; `overwrites`: whatever others have saved meanwhile. */
  async function save(overwrites = false, sent = values) {
    if (isBusy.current) return;
    const { errors } = check(fields, sent, stored, Date.now());
    if (Object.keys(errors).length > 0) {
      setProblem({ message: T.someFaults, fields: errors });
      return;
    }
    if (row && sent === values && !isUnsaved) {
      shell.say(T.unchanged);
      return;
    }
    isBusy.current = true;
    setSending(true);
    setProblem(undefined);
    setConflict(undefined);
    try {
      await send(sent, overwrites);
    } catch (error) {
      setProblem(problemOf(error, !row));
    } finally {
      isBusy.current = false;
      setSending(false);
    }
  }

  return {
    fields,
    row,
    values,
    before,
    isUnsaved,
    isSending,
    isLoading: !isNew && !row && !missing,
    missing,
    problem,
    conflict,
    change,
    move,
    save: (overwrites = false) => save(overwrites),
    /** The same with another status. */
    saveAs: (status: string) => save(false, { ...values, status }),
    /** Points out what is wrong, as a rejected save does. */
    reject: setProblem,
    /** What was typed before the page was reloaded or closed. */
    draft: draft.found,
    isDraftOutdated: draft.found !== undefined && draft.found.version !== versionOf(row),
    restoreDraft: () => {
      setValues((old) => ({ ...old, ...draft.found?.values }));
      draft.close();
    },
    discardDraft: draft.close,
    /** Loads the version of another user and discards the input. */
    takeTheirs: () => conflict && show(conflict.row),
    findings: check(fields, values, stored, Date.now()),
  };
}
