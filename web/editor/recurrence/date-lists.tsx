import { useRef } from 'preact/hooks';
import { DAY, mod } from '../../../src/lib/recurrence/calendar-days.js';
import type { Occurrence } from '../../../src/lib/recurrence/occurrences.js';
import type { Duration } from '../../../src/lib/recurrence/recurrence-set.js';
import { fill } from '../../../src/pages/texts/fill.js';
import { plural, TEXTS } from '../catalogue.js';
import { useShell } from '../shell.js';
import { NewDate } from './new-date.js';
import { describeSize, formatWall, type SplitLines, wordsFor } from './series.js';
import { addedLine, excludedLine, type SeriesView } from './view-series.js';

const T = TEXTS.recurrence;

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
    say(fill(T.isLeftOut, { date: formatWall(one.start, isDay) }));
  }

  const zone = isDay || span.timezone === '' ? '' : ` (${span.timezone})`;
  return (
    <div class="dates">
      <p id={`${id}-summary`} aria-live="polite">
        {set && preview && fill(T.summary, { rule: words(view), size: describeSize(preview, isDay) })}
      </p>
      {problem && <p class="error">{fill(T.unusable, { problem })}</p>}
      {requiredStart !== undefined && (
        <p class="warning">
          {fill(T.firstDiffers, {
            first: formatWall(requiredStart, isDay),
            start: formatWall(span.start, isDay),
          })}{' '}
          <button
            type="button"
            class="small"
            onClick={() => {
              onMove(requiredStart);
              say(fill(T.begins, { date: formatWall(requiredStart, isDay) }));
            }}
          >
            {fill(T.beginOn, { date: formatWall(requiredStart, isDay) })}
          </button>
        </p>
      )}
      {preview && preview.dates.length > 0 && (
        <>
          <h3 id={`${id}-next`}>
            {preview.isOver ? T.lastDates : preview.dates[0] === preview.first ? T.firstDates : T.nextDates}
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
                      aria-label={fill(T.leaveOutDate, { date: text })}
                      onClick={() => leaveOut(one)}
                    >
                      {T.leaveOut}
                    </button>
                  )}
                </li>
              );
            })}
          </ol>
        </>
      )}
      <Chips
        label={T.leftOut}
        verb={T.putBack}
        dates={
          set?.excluded.map(({ day, key = 0 }) =>
            day === undefined ? formatWall(wallOf(key), isDay) : formatWall(day * DAY, true),
          ) ?? []
        }
        onRemove={
          onParts &&
          ((at, text) => {
            onParts({ excluded: without(parts.excluded, at) });
            say(fill(T.isBack, { date: text }));
          })
        }
      />
      <Chips
        label={T.added}
        verb={T.remove}
        dates={
          set?.added.map(({ key, duration }) =>
            formatWall(wallOf(key), isDay, duration && endOf(wallOf(key), duration, isDay)),
          ) ?? []
        }
        onRemove={
          onParts &&
          ((at, text) => {
            onParts({ added: without(parts.added, at) });
            say(fill(T.isRemoved, { date: text }));
          })
        }
      />
      {onParts && (
        <>
          {parts.rules.length > 0 && (
            <NewDate
              id={`${id}-exclude`}
              label={T.leaveOutDay}
              isDay
              time={0}
              onAdd={(wall) => {
                onParts({ excluded: [...parts.excluded, excludedLine(wall, true)] });
                shell.say(fill(T.isLeftOut, { date: formatWall(wall, true) }));
              }}
            />
          )}
          <NewDate
            id={`${id}-add`}
            label={T.addDate}
            isDay={isDay}
            time={mod(span.start, DAY)}
            onAdd={(wall) => {
              onParts({ added: [...parts.added, addedLine(wall, isDay)] });
              shell.say(fill(T.isAdded, { date: formatWall(wall, isDay) }));
            }}
          />
        </>
      )}
    </div>
  );
}

function words({ set }: SeriesView): string {
  const text = set ? wordsFor(set) : '';
  return text === '' ? T.byRule : text.charAt(0).toUpperCase() + text.slice(1);
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
  /** The text of a date's button. */
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
              <button
                type="button"
                aria-label={fill(verb, { date: text })}
                onClick={() => onRemove(at, text)}
              >
                ×
              </button>
            )}
          </li>
        ))}
        {dates.length > MAX_SHOWN && <li>{plural(T.moreDates, dates.length - MAX_SHOWN)}</li>}
      </ul>
    </>
  );
}
