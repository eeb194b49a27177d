import { useMemo, useState } from 'preact/hooks';
import { DAY, weekdayOf } from '../../../src/lib/recurrence/calendar-days.js';
import { fill } from '../../../src/pages/texts/fill.js';
import { TEXTS } from '../catalogue.js';
import type { Row, Values } from '../model.js';
import { useShell } from '../shell.js';
import { DateLists } from './date-lists.js';
import { monthChoices, type RuleChoice, toRule } from './rule-choice.js';
import { RuleEnds, RuleFields } from './rule-fields.js';
import {
  inWords,
  joinLines,
  parseLines,
  type SplitLines,
  storedLines,
  UNKNOWN_RULE,
  wordsFor,
} from './series.js';
import { type SeriesView, timesOf, viewSeries } from './view-series.js';

const T = TEXTS.recurrence;

interface RecurrencePickerProps {
  id: string;
  values: Values;
  row: Row | undefined;
  describedBy: string;
  isInvalid: boolean;
  onChange: (value: string) => void;
  /** Moves the start to wall seconds. */
  onMove: (start: number) => void;
}

type Mode = 'none' | 'kept' | 'dates' | 'custom' | 'rule';

/** Chooses how an event recurs, and shows its dates. */
export function RecurrencePicker(props: RecurrencePickerProps) {
  const { id, values, row, describedBy, isInvalid, onChange } = props;
  const { recurrenceOff } = useShell().settings;
  const [wanted, setWanted] = useState<'custom' | 'dates'>();
  const value = String(values['recurrence'] ?? '');
  const minute = Math.floor(Date.now() / 60_000);
  const view = useMemo(
    () => viewSeries(values, row, minute * 60),
    [value, row, values['start_date'], values['end_date'], values['all_day'], values['timezone'], minute],
  );
  const stored = row ? storedLines(row) : '';
  const isOtherStored = useMemo(() => isOther(stored, row), [stored, row]);
  const presets = useMemo(() => (view ? presetsOf(view) : []), [view]);
  const common = { id, 'aria-describedby': `${describedBy} ${id}-summary`, 'aria-invalid': isInvalid };
  if (recurrenceOff)
    return (
      <>
        <select {...common} disabled aria-describedby={`${id}-off`}>
          <option>{value === '' ? T.never : describe(view)}</option>
        </select>
        <p class="help" id={`${id}-off`}>
          {fill(value === '' ? T.offHere : T.offForThis, { reason: recurrenceOff })}
        </p>
        {view && value !== '' && <DateLists {...props} view={view} />}
      </>
    );
  if (!view)
    return (
      <>
        <select {...common} disabled>
          <option>{T.never}</option>
        </select>
        <p class="help" id={`${id}-summary`}>
          {T.startFirst}
        </p>
      </>
    );
  const { parts, choice, span } = view;
  const mode = modeOf(value, view, wanted);
  const plain = choice && toRule({ ...choice, end: { kind: 'never' } }, span.start);
  const preset = presets.find(([rule]) => rule === plain)?.[0];
  const change = (changes: Partial<SplitLines>) => onChange(joinLines({ ...parts, ...changes }));
  const setRule = (next: RuleChoice) => change({ rules: [toRule(next, span.start)] });

  function choose(next: string) {
    if (!view) return;
    setWanted(next === 'custom' || next === 'dates' ? next : undefined);
    if (next === 'none') onChange('');
    else if (next === 'kept') onChange(stored);
    else if (next === 'dates') change({ rules: [], others: [] });
    else {
      const rule = presets.find(([one]) => one === next)?.[2] ?? choice ?? weeklyChoice(span.start);
      change({ rules: [toRule({ ...rule, end: choice?.end ?? rule.end }, span.start)], others: [] });
    }
  }

  const offersStored = mode === 'kept' || isOtherStored;
  return (
    <>
      <select
        {...common}
        value={mode === 'rule' ? preset : mode}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="none">{T.never}</option>
        {offersStored && (
          <option value="kept">
            {mode === 'kept' ? fill(T.asItIs, { rule: describe(view) }) : T.asStored}
          </option>
        )}
        {presets.map(([rule, label]) => (
          <option key={rule} value={rule}>
            {label}
          </option>
        ))}
        <option value="dates">{T.dates}</option>
        <option value="custom">{T.custom}</option>
      </select>
      {mode === 'kept' && value !== UNKNOWN_RULE && (
        <p class="help">
          {T.kept} <code dir="ltr">{[...parts.rules, ...parts.others].join(' ')}</code>
        </p>
      )}
      {mode === 'dates' && value === '' && <p class="help">{T.addFirst}</p>}
      {mode === 'custom' && choice && (
        <RuleFields id={id} choice={choice} start={span.start} onChange={setRule} />
      )}
      {(mode === 'custom' || mode === 'rule') && choice && (
        <RuleEnds id={id} choice={choice} start={span.start} onChange={setRule} />
      )}
      {mode !== 'none' && value !== UNKNOWN_RULE && <DateLists {...props} view={view} onParts={change} />}
    </>
  );
}

function modeOf(
  value: string,
  { parts, choice, span }: SeriesView,
  wanted: 'custom' | 'dates' | undefined,
): Mode {
  if (wanted === 'dates' && parts.rules.length === 0) return 'dates';
  if (value === '') return 'none';
  if (choice) {
    const plain = toRule({ ...choice, end: { kind: 'never' } }, span.start);
    return wanted === 'custom' || !isPreset(plain, span.start) ? 'custom' : 'rule';
  }
  return value !== UNKNOWN_RULE && parts.rules.length === 0 && parts.others.length === 0 ? 'dates' : 'kept';
}

/** Whether a stored value is one that the picker cannot express. */
function isOther(stored: string, row: Row | undefined): boolean {
  if (stored === '') return false;
  const view = row && viewSeries({ ...timesOf(row), recurrence: stored }, row, 0);
  return view !== undefined && modeOf(stored, view, undefined) === 'kept';
}

/** A stored recurrence in words, as far as there are words. */
function describe(view: SeriesView | undefined): string {
  if (!view?.set) return T.several;
  return wordsFor(view.set) || T.wordless;
}

const weeklyChoice = (start: number): RuleChoice => ({
  freq: 'WEEKLY',
  interval: 1,
  weekdays: [weekdayOf(Math.floor(start / DAY))],
  on: 'date',
  end: { kind: 'never' },
});

function presetChoices(start: number): RuleChoice[] {
  const weekly = weeklyChoice(start);
  return [
    { ...weekly, freq: 'DAILY' },
    weekly,
    { ...weekly, interval: 2 },
    ...monthChoices(start).map((on): RuleChoice => ({ ...weekly, freq: 'MONTHLY', on })),
    { ...weekly, freq: 'YEARLY' },
  ];
}

const isPreset = (rule: string, start: number) =>
  presetChoices(start).some((one) => toRule(one, start) === rule);

/** The usual rules for a start: rule, words, choice. */
function presetsOf({ span }: SeriesView): (readonly [string, string, RuleChoice])[] {
  return presetChoices(span.start).map((one) => {
    const rule = toRule(one, span.start);
    const { text } = inWords(parseLines([`RRULE:${rule}`], span));
    return [rule, text.charAt(0).toUpperCase() + text.slice(1), one] as const;
  });
}
