import { type Ask, kindOf, oneLine, withoutSecrets } from './answer.js';
import { truncate } from '../../lib/truncate.js';
import type { Comparison } from './compare.js';
import { causeOf, type Difference } from './difference.js';
import { KNOWN, type KnownId } from './known-differences.js';

/** How many causes are told apart, and how many examples each has. */
const MAX_CAUSES = 1000;
const EXAMPLES = 3;
const OTHERS = 'further causes, too many to tell apart';

/** One place where it showed. */
export interface Example {
  request: string;
  old: string;
  new: string;
}

/** What differs in one way. */
export interface Cause {
  cause: string;
  count: number;
  examples: Example[];
}

/** What came of the requests of one kind. */
export interface KindTotals {
  asked: number;
  /** Alike to the byte, but for addresses. */
  identical: number;
  /** The same values, written otherwise: the order of members, escapes. */
  sameValues: number;
  /** With differences that are meant, and no others. */
  knownOnly: number;
  different: number;
  /** Not compared, as the old server did not answer. */
  unanswered: number;
}

/** What a difference is, and which number it has if it is meant. */
export type Judged = Difference & { known?: KnownId | undefined };

/** A difference as reports count and show it. */
export interface Finding {
  cause: string;
  known?: KnownId | undefined;
  old: string;
  new: string;
}

/** What has been found: totals, and a few examples of each cause. */
export class Findings {
  constructor(
    readonly kinds: Record<string, KindTotals> = {},
    private readonly causes: Record<string, Cause> = {},
    private readonly known: Record<string, Cause> = {},
    private readonly silent: Record<string, Cause> = {},
  ) {}

  /** Counts the answers to one request. */
  count(ask: Ask, level: Comparison['level'], differences: readonly Finding[]): void {
    const totals = this.totalsOf(kindOf(ask.path));
    totals.asked += 1;
    if (differences.some(({ known }) => known === undefined)) totals.different += 1;
    else if (differences.length > 0) totals.knownOnly += 1;
    else if (level === 'json') totals.sameValues += 1;
    else totals.identical += 1;
    for (const difference of differences) this.note(ask, difference);
  }

  /** Counts a request that the old server did not answer. */
  unanswered(ask: Ask, failure: string): void {
    const totals = this.totalsOf(kindOf(ask.path));
    totals.asked += 1;
    totals.unanswered += 1;
    const cause = 'The old server did not answer; nothing was compared.';
    this.add(this.silent, cause, cause, { request: excerpt(ask.path), old: excerpt(failure), new: '' });
  }

  /** Whether a cause was seen so often that it is no chance. */
  isSettled({ cause }: Finding): boolean {
    return (this.causes[cause]?.count ?? 0) >= EXAMPLES;
  }

  /** Causes that nobody meant, the most frequent first. */
  get differences(): Cause[] {
    return Object.values(this.causes).sort((one, other) => other.count - one.count);
  }

  /** Differences that are meant, by their numbers. */
  get named(): (Cause & { id: string })[] {
    return Object.entries(this.known).map(([id, cause]) => ({ ...cause, id }));
  }

  /** Why requests were not compared. */
  get notCompared(): Cause[] {
    return Object.values(this.silent);
  }

  /** The part of the compared answers, in percent, that differ in nothing but what is meant; cut, never rounded up. */
  get readiness(): number | undefined {
    const all = Object.values(this.kinds);
    const compared = all.reduce((sum, { asked, unanswered }) => sum + asked - unanswered, 0);
    if (compared === 0) return undefined;
    const different = all.reduce((sum, totals) => sum + totals.different, 0);
    return Math.floor(((compared - different) / compared) * 1000) / 10;
  }

  /** All of it, for a file; `new Findings(kinds, causes, known, silent)` takes it back. */
  saved(): {
    kinds: Record<string, KindTotals>;
    causes: Record<string, Cause>;
    known: Record<string, Cause>;
    silent?: Record<string, Cause>;
  } {
    return { kinds: this.kinds, causes: this.causes, known: this.known, silent: this.silent };
  }

  private totalsOf(kind: string): KindTotals {
    const none = { asked: 0, identical: 0, sameValues: 0, knownOnly: 0, different: 0, unanswered: 0 };
    this.kinds[kind] ??= none;
    return this.kinds[kind];
  }

  private note(ask: Ask, { cause, known, old, new: now }: Finding): void {
    const example = { request: excerpt(ask.path) || '/', old, new: now };
    const isFull = !Object.hasOwn(this.causes, cause) && Object.keys(this.causes).length >= MAX_CAUSES;
    const key = isFull ? OTHERS : cause;
    if (known) this.add(this.known, known, KNOWN[known], example);
    else this.add(this.causes, key, key, example);
  }

  private add(to: Record<string, Cause>, key: string, cause: string, example: Example): void {
    to[key] ??= { cause, count: 0, examples: [] };
    to[key].count += 1;
    if (to[key].examples.length < EXAMPLES) to[key].examples.push(example);
  }
}

/** A difference in the few words that a report needs of it. */
export function findingOf(difference: Judged): Finding {
  const [old, now] = excerpts(difference.old, difference.new);
  return { cause: oneLine(causeOf(difference)), known: difference.known, old, new: now };
}

/** How much of a value a report shows. */
const SHOWN = 240;

/** Two values as a report shows them: long texts from shortly before the place where they begin to differ. */
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
