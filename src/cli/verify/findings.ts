import { truncate } from '../../lib/truncate.js';
import type { Comparison } from './compare.js';
import { causeOf } from './difference.js';
import { KNOWN, type KnownId, type KnownOrNewDifference } from './known-differences.js';
import { type ComparedRequest, kindOf, oneLine, withoutSecrets } from './parsed-response.js';

const MAX_CAUSES = 1000;
const EXAMPLES = 3;
const OTHERS = 'further causes, too many to tell apart';

export interface Example {
  request: string;
  old: string;
  new: string;
}

export interface Cause {
  cause: string;
  count: number;
  examples: Example[];
}

export interface KindTotals {
  asked: number;
  /** Identical except for URLs. */
  identical: number;
  /** The same values in another notation: member order, escapes. */
  sameValues: number;
  knownOnly: number;
  different: number;
  /** Not compared because the old server did not answer. */
  unanswered: number;
}

/** A difference as reports count and show it. */
export interface Finding {
  cause: string;
  known?: KnownId | undefined;
  old: string;
  new: string;
}

/** Totals by kind of request, and causes of differences by name. */
interface FindingsState {
  kinds: Record<string, KindTotals>;
  causes: Record<string, Cause>;
  known: Record<string, Cause>;
  /** Reasons why requests were not compared. */
  silent: Record<string, Cause>;
}

/** Collects totals and a few examples per cause. */
export class Findings {
  constructor(readonly state: FindingsState = { kinds: {}, causes: {}, known: {}, silent: {} }) {}

  count(ask: ComparedRequest, level: Comparison['level'], differences: readonly Finding[]): void {
    const totals = this.totalsOf(kindOf(ask.path));
    totals.asked += 1;
    if (differences.some(({ known }) => known === undefined)) totals.different += 1;
    else if (differences.length > 0) totals.knownOnly += 1;
    else if (level === 'json') totals.sameValues += 1;
    else totals.identical += 1;
    for (const difference of differences) this.note(ask, difference);
  }

  /** Counts a request that the old server did not answer. */
  unanswered(ask: ComparedRequest, failure: string): void {
    const totals = this.totalsOf(kindOf(ask.path));
    totals.asked += 1;
    totals.unanswered += 1;
    const cause = 'The old server did not answer; nothing was compared.';
    this.add(this.state.silent, cause, cause, { request: excerpt(ask.path), old: excerpt(failure), new: '' });
  }

  /** Whether a cause was seen often enough not to be coincidence. */
  isSettled({ cause }: Finding): boolean {
    return (this.state.causes[cause]?.count ?? 0) >= EXAMPLES;
  }

  /** Unknown causes, the most frequent first. */
  get differences(): Cause[] {
    return Object.values(this.state.causes).sort((one, other) => other.count - one.count);
  }

  /** Known differences by number. */
  get named(): (Cause & { id: string })[] {
    return Object.entries(this.state.known).map(([id, cause]) => ({ ...cause, id }));
  }

  /** Percentage of compared responses without unknown differences, rounded down. */
  get readiness(): number | undefined {
    const all = Object.values(this.state.kinds);
    const compared = all.reduce((sum, { asked: requests, unanswered }) => sum + requests - unanswered, 0);
    if (compared === 0) return undefined;
    const different = all.reduce((sum, totals) => sum + totals.different, 0);
    return Math.floor(((compared - different) / compared) * 1000) / 10;
  }

  private totalsOf(kind: string): KindTotals {
    const none = { asked: 0, identical: 0, sameValues: 0, knownOnly: 0, different: 0, unanswered: 0 };
    this.state.kinds[kind] ??= none;
    return this.state.kinds[kind];
  }

  private note(ask: ComparedRequest, { cause, known, old, new: now }: Finding): void {
    const example = { request: excerpt(ask.path) || '/', old, new: now };
    const isFull =
      !Object.hasOwn(this.state.causes, cause) && Object.keys(this.state.causes).length >= MAX_CAUSES;
    const key = isFull ? OTHERS : cause;
    if (known) this.add(this.state.known, known, KNOWN[known], example);
    else this.add(this.state.causes, key, key, example);
  }

  private add(to: Record<string, Cause>, key: string, cause: string, example: Example): void {
    to[key] ??= { cause, count: 0, examples: [] };
    to[key].count += 1;
    if (to[key].examples.length < EXAMPLES) to[key].examples.push(example);
  }
}

/** Reduces a difference to what a report needs. */
export function findingOf(difference: KnownOrNewDifference): Finding {
  const [old, now] = excerpts(difference.old, difference.new);
  return { cause: oneLine(causeOf(difference)), known: difference.known, old, new: now };
}

const SHOWN = 240;

/** Excerpts of two values that start shortly before their first difference. */
function excerpts(old: unknown, now: unknown): [string, string] {
  const [before, after] = [written(old), written(now)];
  let same = 0;
  while (same < before.length && same < after.length && before[same] === after[same]) same += 1;
  const from = Math.max(0, same - 40);
  return [excerpt(before, from), excerpt(after, from)];
}

function excerpt(text: string, from = 0): string {
  const begin = from > 0 ? '…' : '';
  return withoutSecrets(begin + truncate(text.slice(from), SHOWN) + (text.length > from + SHOWN ? '…' : ''));
}

function written(value: unknown): string {
  if (value === undefined) return '(not there)';
  try {
    return JSON.stringify(value);
  } catch {
    return '(nested too deep)';
  }
}
