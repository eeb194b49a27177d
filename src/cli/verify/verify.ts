import type { Environment } from '../../config/env.js';
import { StartError } from '../../database/start-error.js';
import { counted } from '../counted.js';
import { type Comparison, compare, compareRecords } from './compare.js';
import type { Difference } from './difference.js';
import { findingOf } from './findings.js';
import { judged, type KnownOrNewDifference } from './known-differences.js';
import { type ComparedRequest, kindOf, type ParsedResponse } from './parsed-response.js';
import { Places } from './places.js';
import { type Report, reportOf, writeReport } from './report.js';
import { runExclusively } from './report-files.js';
import { baseOf, connect, type Side, withAlmanac } from './sides.js';
import { WHOLE_LISTS, walk } from './walk.js';
import { WalkState } from './walk-state.js';

const CHECKPOINT = 100;

export interface VerifyOptions {
  against: string;
  /** URL of Almanac; by default it serves the configured database meanwhile. */
  with?: string;
  as?: { login: string; password: string };
  /** Requests per second to the old server, also the number of concurrent ones. */
  rate: number;
  concurrency: number;
  /** Timeout of a response in seconds. */
  timeout: number;
  /** Single records requested per kind; all by default. */
  sample?: number;
  /** Name of the report's files, without `.html` and `.json`. */
  report: string;
  /** Whether to resume an interrupted walk. */
  resume?: boolean;
  env?: Environment;
  /** Interrupts the walk, which can be resumed. */
  signal?: AbortSignal;
  /** Called often with progress messages. */
  progress?: (line: string) => void;
}

/** Compares two servers, writes the report and returns it; throws `StartError` if that is impossible. */
export async function verify(options: VerifyOptions): Promise<Report> {
  const against = baseOf(options.against, '--against');
  const { as, signal } = options;
  const clientOptions = {
    timeout: options.timeout * 1000,
    ...(as && { authorization: `Basic ${Buffer.from(`${as.login}:${as.password}`).toString('base64')}` }),
    ...(signal && { signal }),
  };
  const unhurried = { ...clientOptions, rate: Number.POSITIVE_INFINITY };
  const old = await connect(against, { ...clientOptions, rate: options.rate }, 'The old server');
  return withAlmanac(options, unhurried, (almanac) =>
    runExclusively(options.report, () => compareAll(options, old, almanac)),
  );
}

async function compareAll(options: VerifyOptions, old: Side, almanac: Side): Promise<Report> {
  const { as, with: other, sample, report: file } = options;
  const subject = {
    against: old.client.base,
    ...(other !== undefined && { with: other }),
    ...(as && { as: as.login }),
    ...(sample !== undefined && { sample }),
  };
  const state = await WalkState.open(`${file}.state.json`, subject, options.resume === true);
  const verification = new Verification(options, old, almanac, state);
  let isComplete = false;
  try {
    isComplete = await verification.run();
  } finally {
    const report = reportOf('almanac verify', subject, state.began, isComplete, state.findings);
    await writeReport(file, report);
  }
  if (isComplete) await state.remove();
  return reportOf('almanac verify', subject, state.began, isComplete, state.findings);
}

class Verification {
  private readonly places: Places;

  constructor(
    private readonly options: VerifyOptions,
    private readonly old: Side,
    private readonly almanac: Side,
    private readonly state: WalkState,
  ) {
    this.places = new Places(old.place, almanac.place);
  }

  /** Makes all pending requests; returns false if interrupted. */
  async run(): Promise<boolean> {
    const { state, options } = this;
    const running = new Set<Promise<void>>();
    let failure: { error: unknown } | undefined;
    let position = 0;
    for await (const step of walk(state.seen, options.sample)) {
      if (++position <= state.position) continue;
      if ('path' in step) {
        const job = this.check(step)
          .catch((error: unknown) => {
            failure ??= { error };
          })
          .finally(() => running.delete(job));
        running.add(job);
        options.progress?.(`${counted(position, 'request')} compared, now of kind ${kindOf(step.path)} …`);
        if (running.size >= options.concurrency) await Promise.race(running);
      }
      const isCheckpoint = 'settle' in step || position % CHECKPOINT === 0;
      if (isCheckpoint) await Promise.all(running);
      if (failure || options.signal?.aborted) break;
      if ('settle' in step && step.isEnd) this.endList(step.settle);
      if (!isCheckpoint) continue;
      state.position = position;
      await state.save();
    }
    await Promise.all(running);
    if (options.signal?.aborted) return false;
    if (failure) throw failure.error;
    return true;
  }

  private async check(ask: ComparedRequest): Promise<void> {
    const { findings, seen, lists } = this.state;
    let answers = await this.ask(ask);
    // Data may change between the two responses, so an unknown difference must show twice.
    if (answers.judged.some((one) => one.known === undefined && !findings.isSettled(findingOf(one))))
      answers = await this.ask(ask);
    const { old, comparison } = answers;
    if (!comparison) return findings.unanswered(ask, old.failure ?? `${old.status}`);
    await seen.note(ask, old);
    if (ask.list === undefined) return findings.count(ask, comparison.level, answers.judged.map(findingOf));
    const pairs = lists.take(ask.list, comparison);
    const later = compareRecords(ask.list, pairs, this.places);
    const judged = this.judge(ask, [...comparison.differences, ...later], answers);
    findings.count(ask, comparison.level, judged.map(findingOf));
  }

  private async ask(ask: ComparedRequest): Promise<{
    old: ParsedResponse;
    now: ParsedResponse;
    comparison?: Comparison;
    judged: KnownOrNewDifference[];
  }> {
    const [old, now] = await Promise.all([this.old.client.ask(ask.path), this.almanac.client.ask(ask.path)]);
    if (old.failure !== undefined || old.status >= 500) return { old, now, judged: [] };
    const comparison = compare(ask, old, now, this.places);
    return { old, now, comparison, judged: this.judge(ask, comparison.differences, { old, now }) };
  }

  private judge(
    ask: ComparedRequest,
    differences: readonly Difference[],
    answers?: { old: ParsedResponse; now: ParsedResponse },
  ): KnownOrNewDifference[] {
    return judged(differences, { ask, isSignedIn: this.options.as !== undefined, ...answers });
  }

  /** Reports records of a walked list on one server only; throws `StartError` if the servers have none in common. */
  private endList(list: string): void {
    const ask = { path: WHOLE_LISTS[list] ?? '' };
    const count = this.state.seen.state.counts[list] ?? 0;
    if (list === 'events' && count > 0 && this.state.lists.missing(list) === count)
      throw new StartError(
        `Almanac shows none of the ${counted(count, 'event')} of the old server: ${this.options.with === undefined ? 'do DATABASE_URL and TABLE_PREFIX name' : 'does --with serve'} the same site?`,
      );
    const judged = this.judge(ask, this.state.lists.end(list));
    const total = judged.find(({ path }) => path === 'total');
    const unpublished = judged.filter(({ known }) => known === 'R1').length;
    // The totals are explained by unpublished records.
    if (total && Number(total.old) - Number(total.new) === unpublished) total.known = 'R1';
    if (judged.length > 0) this.state.findings.count(ask, 'different', judged.map(findingOf));
  }
}
