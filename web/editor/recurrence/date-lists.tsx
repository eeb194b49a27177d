import { useRef } from 'preact/hooks';
import { DAY, mod } from '../../../src/lib/recurrence/calendar-days.js';
import type { Occurrence } from '../../../src/lib/recurrence/occurrences.js';
import type { Duration } from '../../../src/lib/recurrence/recurrence-set.js';
import { useShell } from '../shell.js';
import { NewDate } from './new-date.js';
import { describeSize, formatWall, type SplitLines, wordsFor } from './series.js';
import { addedLine, excludedLine, type SeriesView } from './view-series.js';

interface DateListsProps {
  id: string;
  view: SeriesView;
  /** Absent where nothing may be changed. */
  onParts?: (changes: Partial<SplitLines>) => void;
  onMove: (start: number) => void;
}

/** The maximum of listed dates that are left out or added. */
const MAX_SHOWN = 30;

/** The next dates of an event, those that are left out and those that are added. */
export function DateLists({ id, view, onParts, onMove }: DateListsProps) {
  const shell = useShell();
  const list = useRef<HTMLOListElement>(null);
  const { parts, choice, set, preview, span, problem, requiredStart } = view;
  const isDay = span.allDay;
  const wallOf = (key: number) => (set?.isAllDay ? key : (set?.clock.toWall(key) ?? key));
  const say = (text: string) => {
    shell.say(text);
    list.current?.focus();
  };

  function leaveOut(one: Occurrence) {
    const wall = wallOf(one.recurrenceId);
    const added = set?.added.findIndex(({ key }) => key === one.recurrenceId) ?? -1;
    // A day stays left out at another time; the picker's rules have one date a day.
    const isOnly = choice !== undefined && !set?.added.some(({ key }) => sameDay(wallOf(key), wall));
    if (one.isRdate && added >= 0) onParts?.({ added: without(parts.added, added) });
    else onParts?.({ excluded: [...parts.excluded, excludedLine(wall, isDay || isOnly)] });
    say(`${formatWall(one.start, isDay)} is left out.`);
  }

  const zone = isDay || span.timezone === '' ? '' : ` (${span.timezone})`;
  return (
    <div class="dates">
      <p id={`${id}-summary`} aria-live="polite">
        {set && preview && (
          <>
            {words(view)}: {describeSize(preview, isDay)}.
          </>
        )}
      </p>
      {problem && <p class="error">This cannot be used: {problem}.</p>}
      {requiredStart !== undefined && (
        <p class="warning">
          Its first date would be {formatWall(requiredStart, isDay)}, but the event begins on{' '}
          {formatWall(span.start, isDay)}.{' '}
          <button
            type="button"
            class="small"
            onClick={() => {
              onMove(requiredStart);
              say(`The event begins on ${formatWall(requiredStart, isDay)}.`);
            }}
          >
            Begin on {formatWall(requiredStart, isDay)}
          </button>
        </p>
      )}
      {preview && preview.dates.length > 0 && (
        <>
          <h3 id={`${id}-next`}>
            {preview.isOver
              ? 'Last dates'
              : preview.dates[0] === preview.first
                ? 'First dates'
                : 'Next dates'}
            {zone}
          </h3>
          <ol ref={list} tabIndex={-1} aria-labelledby={`${id}-next`}>
            {preview.dates.map((one) => {
              const text = formatWall(one.start, isDay);
              return (
                <li key={one.recurrenceId}>
                  {text}
                  {onParts && one !== preview.first && (
                    <button
                      type="button"
                      class="small"
                      aria-label={`Leave out ${text}`}
                      onClick={() => leaveOut(one)}
                    >
                      Leave out
                    </button>
                  )}
                </li>
              );
            })}
          </ol>
        </>
      )}
      <Chips
        label="Left out"
        verb="Put back"
        dates={
          set?.excluded.map(({ day, key = 0 }) =>
            day === undefined ? formatWall(wallOf(key), isDay) : formatWall(day * DAY, true),
          ) ?? []
        }
        onRemove={
          onParts &&
          ((at, text) => {
            onParts({ excluded: without(parts.excluded, at) });
            say(`${text} is back.`);
          })
        }
      />
      <Chips
        label="Added"
        verb="Remove"
        dates={
          set?.added.map(({ key, duration }) =>
            formatWall(wallOf(key), isDay, duration && endOf(wallOf(key), duration, isDay)),
          ) ?? []
        }
        onRemove={
          onParts &&
          ((at, text) => {
            onParts({ added: without(parts.added, at) });
            say(`${text} is removed.`);
          })
        }
      />
      {onParts && (
        <>
          {parts.rules.length > 0 && (
            <NewDate
              id={`${id}-exclude`}
              label="Leave out a day"
              isDay
              time={0}
              onAdd={(wall) => {
                onParts({ excluded: [...parts.excluded, excludedLine(wall, true)] });
                shell.say(`${formatWall(wall, true)} is left out.`);
              }}
            />
          )}
          <NewDate
            id={`${id}-add`}
            label="Add a date"
            isDay={isDay}
            time={mod(span.start, DAY)}
            onAdd={(wall) => {
              onParts({ added: [...parts.added, addedLine(wall, isDay)] });
              shell.say(`${formatWall(wall, isDay)} is added.`);
            }}
          />
        </>
      )}
    </div>
  );
}

function words({ set }: SeriesView): string {
  const text = set ? wordsFor(set) : '';
  return text === '' ? 'By its rule' : text.charAt(0).toUpperCase() + text.slice(1);
}

/** When a date with a duration of its own ends; of whole days the last one. */
const endOf = (start: number, { days, seconds }: Duration, isDay: boolean) =>
  start + (days - (isDay ? 1 : 0)) * DAY + seconds;

const sameDay = (a: number, b: number) => Math.floor(a / DAY) === Math.floor(b / DAY);

const without = (lines: readonly string[], at: number) => lines.filter((_, index) => index !== at);

function Chips({
  label,
  verb,
  dates,
  onRemove,
}: {
  label: string;
  verb: string;
  dates: readonly string[];
  onRemove?: (at: number, text: string) => void;
}) {
  if (dates.length === 0) return null;
  return (
    <>
      <h3>{label}</h3>
      <ul class="chips" aria-label={label}>
        {dates.slice(0, MAX_SHOWN).map((text, at) => (
          <li key={text}>
            {text}
            {onRemove && (
              <button type="button" aria-label={`${verb} ${text}`} onClick={() => onRemove(at, text)}>
                ×
              </button>
            )}
          </li>
        ))}
        {dates.length > MAX_SHOWN && <li>{dates.length - MAX_SHOWN} more </li>}
      </ul>
    </>
  );
}
