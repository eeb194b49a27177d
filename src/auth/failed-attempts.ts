/** How many failures are allowed within how many milliseconds. */
export interface AttemptRule {
  failures: number;
  milliseconds: number;
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Reads `20/5m` (also `s`, `h`), or `off`, which is null; throws on anything else. */
export function parseAttemptRule(text: string): AttemptRule | null {
  if (text === 'off') return null;
  const [, failures, count, unit = ''] = /^([1-9]\d{0,5})\/([1-9]\d{0,5})([smh])$/.exec(text) ?? [];
  if (failures === undefined) throw new Error(`RATE_LIMIT is neither off nor a rule such as 20/5m: ${text}`);
  return { failures: Number(failures), milliseconds: Number(count) * (UNITS[unit] ?? 0) };
}

/** Counts failed logins per key (address and user) in a sliding time; forgets the keys that failed longest ago. */
export class FailedAttempts {
  /** Key → times of its latest failures, oldest first; the keys in order of their latest failure. */
  private readonly failures = new Map<string, number[]>();

  /** `now` in milliseconds; at most `capacity` keys are kept. */
  constructor(
    private readonly rule: AttemptRule | null,
    private readonly now: () => number,
    private readonly capacity = 10_000,
  ) {}

  /** Seconds until the key may try again; 0 when it may now. */
  secondsToWait(key: string): number {
    if (!this.rule) return 0;
    const times = this.recent(key, this.rule);
    if (times.length < this.rule.failures) return 0;
    const oldest = times[times.length - this.rule.failures] ?? 0;
    return Math.max(1, Math.ceil((oldest + this.rule.milliseconds - this.now()) / 1000));
  }

  /** Counts an attempt as failed before its outcome is known, so that many at once gain nothing; returns how to forgive it. */
  count(key: string): () => void {
    if (!this.rule) return () => undefined;
    const time = this.now();
    this.store(key, [...this.recent(key, this.rule), time].slice(-this.rule.failures));
    let forgiven = false;
    return () => {
      if (!forgiven) this.forgive(key, time);
      forgiven = true;
    };
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.failures.size;
  }

  private recent(key: string, rule: AttemptRule): number[] {
    const since = this.now() - rule.milliseconds;
    return (this.failures.get(key) ?? []).filter((time) => time > since);
  }

  private store(key: string, times: number[]): void {
    this.failures.delete(key);
    this.failures.set(key, times);
    if (this.failures.size <= this.capacity) return;
    const [oldest] = this.failures.keys();
    if (oldest !== undefined) this.failures.delete(oldest);
  }

  private forgive(key: string, time: number): void {
    const times = this.failures.get(key);
    if (!times) return;
    times.splice(times.indexOf(time), times.includes(time) ? 1 : 0);
    if (times.length === 0) this.failures.delete(key);
  }
}
