/** A value of a fact, from the moment when its commit was sent until the commit of the next value had returned. */
interface Moment {
  value: string;
  from: number;
  until: number;
}

/** What a database held at which time, as far as whoever changes it knows; times by `performance.now()`. */
export class Instants {
  private readonly facts = new Map<string, Moment[]>();

  /** Notes values that are about to be committed; the function that is answered is called once they are. */
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

  /** How long, in milliseconds, a value was over when somebody asked; 0 when it was not, infinite when it never was. */
  staleness(fact: string, value: string, askedAt: number): number {
    const moments = this.facts.get(fact) ?? [];
    const until = moments.filter((moment) => moment.value === value).map((moment) => moment.until);
    return Math.max(0, askedAt - Math.max(Number.NEGATIVE_INFINITY, ...until));
  }
}
