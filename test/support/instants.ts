/** A value, valid from the start of its commit until the end of the next value's commit. */
interface Moment {
  value: string;
  from: number;
  until: number;
}

/** The values of a database over time, as its writer knows them; times by `performance.now()`. */
export class Instants {
  private readonly facts = new Map<string, Moment[]>();

  /** Records values before their commit; the returned function marks the end of the commit. */
  announce(facts: ReadonlyMap<string, string>): () => void {
    const from = performance.now();
    const ending: Moment[] = [];
    for (const [fact, value] of facts) {
      const moments = this.facts.get(fact) ?? [];
      const last = moments.at(-1);
      if (last?.value === value) continue;
      if (last) ending.push(last);
      this.facts.set(fact, [...moments.slice(-200), { value, from, until: Number.POSITIVE_INFINITY }]);
    }
    return () => {
      for (const moment of ending) moment.until = performance.now();
    };
  }

  /** How long a value had been outdated when it was read, in milliseconds; 0 when current, infinite when it never existed. */
  staleness(fact: string, value: string, requestedAt: number): number {
    const moments = this.facts.get(fact) ?? [];
    const until = moments.filter((moment) => moment.value === value).map((moment) => moment.until);
    return Math.max(0, requestedAt - Math.max(Number.NEGATIVE_INFINITY, ...until));
  }
}
