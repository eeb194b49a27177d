import { LOCALE, plural, TEXTS } from '../catalogue.js';
import { useShell } from '../shell.js';
import {
  type ChoiceFrequency,
  type MonthChoice,
  monthChoices,
  type RuleChoice,
  type RuleEnd,
  toRule,
  usualUntil,
} from './rule-choice.js';
import { inWords, parseLines } from './series.js';

const T = TEXTS.recurrence;

interface RuleFieldsProps {
  id: string;
  choice: RuleChoice;
  /** Wall seconds. */
  start: number;
  onChange: (choice: RuleChoice) => void;
}

const UNITS: Readonly<Record<ChoiceFrequency, string>> = {
  DAILY: T.day,
  WEEKLY: T.week,
  MONTHLY: T.month,
  YEARLY: T.year,
};
/** The name of a day of the week, 0 for Monday. */
const weekdayName = (weekday: number, style: 'long' | 'short') =>
  new Intl.DateTimeFormat(LOCALE, { weekday: style, timeZone: 'UTC' }).format(Date.UTC(2024, 0, 1 + weekday));

/** The days of a week that begins on a day, 0 for Sunday. */
const weekFrom = (firstDay: number) =>
  Array.from({ length: 7 }, (_, index) => {
    const weekday = (firstDay + 6 + index) % 7;
    return { weekday, name: weekdayName(weekday, 'long'), short: weekdayName(weekday, 'short') };
  });

const MAX_INTERVAL = 999;
const MAX_COUNT = 10_000;

/** How often a rule repeats, and on which days. */
export function RuleFields({ id, choice, start, onChange }: RuleFieldsProps) {
  const { settings } = useShell();
  const { freq, interval, weekdays, on } = choice;
  return (
    <div class="rule">
      <label for={`${id}-interval`}>{T.every}</label>
      <NumberInput
        id={`${id}-interval`}
        value={interval}
        max={MAX_INTERVAL}
        onChange={(next) => onChange({ ...choice, interval: next })}
      />
      <select
        aria-label={T.unit}
        value={freq}
        onChange={(event) => onChange({ ...choice, freq: event.currentTarget.value as ChoiceFrequency })}
      >
        {Object.entries(UNITS).map(([one, label]) => (
          <option key={one} value={one}>
            {plural(label, interval)}
          </option>
        ))}
      </select>
      {freq === 'WEEKLY' && (
        <fieldset class="weekdays">
          <legend>{T.onDays}</legend>
          {weekFrom(settings.firstDay).map(({ weekday, name, short }) => {
            const isChosen = weekdays.includes(weekday);
            const others = weekdays.filter((one) => one !== weekday);
            return (
              <label key={weekday}>
                <input
                  type="checkbox"
                  aria-label={name}
                  checked={isChosen}
                  // A week has at least one day.
                  disabled={isChosen && others.length === 0}
                  onChange={() =>
                    onChange({
                      ...choice,
                      weekdays: isChosen ? others : [...weekdays, weekday].sort((a, b) => a - b),
                    })
                  }
                />
                {short}
              </label>
            );
          })}
        </fieldset>
      )}
      {(freq === 'MONTHLY' || freq === 'YEARLY') && (
        <>
          <label for={`${id}-on`}>{T.onDay}</label>
          <select
            id={`${id}-on`}
            class="wide-input"
            value={on}
            onChange={(event) => onChange({ ...choice, on: event.currentTarget.value as MonthChoice })}
          >
            {monthChoices(start).map((one) => (
              <option key={one} value={one}>
                {wordsOf({ ...choice, interval: 1, on: one, end: { kind: 'never' } }, start)}
              </option>
            ))}
          </select>
        </>
      )}
    </div>
  );
}

function wordsOf(choice: RuleChoice, start: number): string {
  const span = { start, end: start, allDay: true, timezone: 'UTC' };
  return inWords(parseLines([`RRULE:${toRule(choice, start)}`], span)).text;
}

/** When a rule ends. */
export function RuleEnds({ id, choice, start, onChange }: RuleFieldsProps) {
  const { end } = choice;
  const set = (next: RuleEnd) => onChange({ ...choice, end: next });
  return (
    <div class="rule">
      <label for={`${id}-end`}>{T.ends}</label>
      <select
        id={`${id}-end`}
        class="wide-input"
        value={end.kind}
        onChange={({ currentTarget: { value } }) =>
          set(
            value === 'until'
              ? { kind: 'until', day: usualUntil(start) }
              : value === 'count'
                ? { kind: 'count', count: 10 }
                : { kind: 'never' },
          )
        }
      >
        <option value="never">{T.endsNever}</option>
        <option value="until">{T.endsOn}</option>
        <option value="count">{T.endsAfter}</option>
      </select>
      {end.kind === 'until' && (
        <input
          type="date"
          aria-label={T.lastDay}
          max="9999-12-31"
          value={end.day}
          onChange={({ currentTarget: { value } }) => value && set({ kind: 'until', day: value })}
        />
      )}
      {end.kind === 'count' && (
        <NumberInput
          label={T.count}
          value={end.count}
          max={MAX_COUNT}
          onChange={(count) => set({ kind: 'count', count })}
        />
      )}
    </div>
  );
}

/** An input of a whole number from 1 on; other values that are typed change nothing. */
function NumberInput({
  id,
  label,
  value,
  max,
  onChange,
}: {
  id?: string;
  label?: string;
  value: number;
  max: number;
  onChange: (value: number) => void;
}) {
  return (
    <input
      id={id}
      type="number"
      aria-label={label}
      min={1}
      max={max}
      step={1}
      value={value}
      onInput={({ currentTarget }) => {
        const next = currentTarget.valueAsNumber;
        if (Number.isInteger(next) && next >= 1 && next <= max) onChange(next);
      }}
    />
  );
}
