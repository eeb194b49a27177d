import { fill } from '../../../src/pages/texts/fill.js';
import { TEXTS } from '../catalogue.js';
import type { Row, Values } from '../model.js';
import type { ScopeChoice, ScopeQuestion } from '../shell.js';
import {
  anchorOf,
  attempt,
  describeSize,
  type EventSpan,
  firstOf,
  formatWall,
  parseLines,
  previewOf,
  spanOf,
  storedLines,
} from './series.js';
import { timesOf, viewSeries } from './view-series.js';

const T = TEXTS.recurrence;
const LABELS = { this: T.onlyThis, following: T.following, all: T.all } as const;

/** Asks which dates are saved. */
export function saveQuestion(values: Values, row: Row, off: string): ScopeQuestion {
  const hasRule = String(values['recurrence'] ?? '') !== storedLines(row);
  const choices: ScopeChoice[] = [
    {
      scope: 'this',
      label: LABELS.this,
      hint: hasRule ? T.fixedRule : undefined,
      isOff: hasRule,
    },
    {
      scope: 'following',
      label: LABELS.following,
      hint: hasRule ? describeNewRule(values, row, 'following') : undefined,
    },
    { scope: 'all', label: LABELS.all, hint: hasRule ? describeNewRule(values, row, 'all') : undefined },
  ];
  return { title: T.saveWhich, yes: T.save, choices: choices.map((one) => disabledIfOff(one, off)) };
}

/** Asks which dates are moved to the trash. */
export function removalQuestion(name: string, isForGood: boolean, off: string): ScopeQuestion {
  const scopes = ['this', 'following', 'all'] as const;
  return {
    title: fill(isForGood ? T.deleteWhich : T.trashWhich, { title: name }),
    yes: isForGood ? TEXTS.list.deleteForGood : T.trash,
    isDangerous: true,
    choices: scopes.map((scope) => disabledIfOff({ scope, label: LABELS[scope] }, off)),
  };
}

const disabledIfOff = (choice: ScopeChoice, off: string): ScopeChoice =>
  off === '' || choice.scope === 'all'
    ? choice
    : { ...choice, isOff: true, hint: fill(T.offDates, { reason: off }) };

/** How many dates a changed rule gives. */
function describeNewRule(values: Values, row: Row, scope: 'following' | 'all'): string | undefined {
  const view = viewSeries(values, row, 0);
  if (!view) return undefined;
  const { parts, span, preview } = view;
  if (parts.rules.length + parts.added.length === 0) return T.oneLeft;
  const found = scope === 'following' ? { result: preview } : attempt(() => previewWhole(values, row, span));
  const isDay = span.allDay;
  if (!found.result?.first) return undefined;
  return fill(T.newDates, {
    date: formatWall(found.result.first.start, isDay),
    size: describeSize(found.result, isDay),
  });
}

/** The dates of the whole event: its first one moves as this one does. */
function previewWhole(values: Values, row: Row, span: EventSpan) {
  const before = spanOf(timesOf(row));
  const anchor = anchorOf(row);
  if (!before || anchor.length === 0) return undefined;
  const stored = parseLines(storedLines(row).split('\n'), before, anchor);
  const start = (firstOf(stored)?.start ?? before.start) + span.start - before.start;
  const lines = String(values['recurrence']).split('\n');
  return previewOf(parseLines(lines, { ...span, start, end: start + span.end - span.start }), 0);
}
