import { DAY, mod, monthOf, weekdayOf } from '../recurrence/calendar-days.js';
import { WEEKDAYS } from '../recurrence/rule.js';

/** A change of the offset of a zone, in seconds, at an epoch second. */
export interface Transition {
  at: number;
  before: number;
  after: number;
}

/** Years after which the Gregorian calendar of the present has had each day of the year on each weekday. */
const CYCLE = 28;

/**
 * The first year from which the transitions of a zone come back by yearly rules, with those of that year and their rules.
 * Undefined where there is none up to a last year.
 */
export function yearlyTransitions(
  inYear: (year: number) => readonly Transition[],
  first: number,
  last: number,
): { year: number; transitions: (Transition & { rule: string })[] } | undefined {
  const known = new Map<number, readonly (readonly string[])[]>();
  const rulesIn = (year: number) => {
    const rules = known.get(year) ?? inYear(year).map(rulesOf);
    known.set(year, rules);
    return rules;
  };
  for (let year = first; year <= last; year++) {
    const others = Array.from({ length: CYCLE }, (_, at) => rulesIn(year + at));
    const rules = rulesIn(year).map((own, at) =>
      own.find((one) => others.every((all) => all[at]?.includes(one))),
    );
    if (others.some(({ length }) => length !== rules.length) || rules.includes(undefined)) continue;
    const transitions = inYear(year).map((one, at) => ({ ...one, rule: rules[at]?.split(' ', 1)[0] ?? '' }));
    return { year, transitions };
  }
  return undefined;
}

/** The yearly rules that a transition may follow, the simplest first, each with its time of day and offsets. */
function rulesOf({ at, before, after }: Transition): string[] {
  const day = Math.floor((at + before) / DAY);
  const { month, first, length } = monthOf(day);
  const date = day - first + 1;
  const weekday = WEEKDAYS[weekdayOf(day)];
  const weeks = Array.from({ length: 7 }, (_, later) => date - 6 + later).filter(
    (start) => start > 0 && start + 6 <= length,
  );
  const days = [
    ...(date + 7 > length ? [`-1${weekday}`] : []),
    `${Math.ceil(date / 7)}${weekday}`,
    // The first such weekday from a date on.
    ...weeks.map(
      (start) => `${weekday};BYMONTHDAY=${Array.from({ length: 7 }, (_, n) => start + n).join(',')}`,
    ),
  ];
  return days.map(
    (one) => `FREQ=YEARLY;BYMONTH=${month};BYDAY=${one} ${mod(at + before, DAY)} ${before} ${after}`,
  );
}
