interface Part {
  running: number;
  since: number;
  took: number;
}

/** The durations of the parts of a request in milliseconds; concurrent runs of a part count once. */
export class Timings {
  private readonly begun = performance.now();
  private readonly parts = new Map<string, Part>();

  begin(name: string): void {
    const part = this.parts.get(name) ?? { running: 0, since: 0, took: 0 };
    this.parts.set(name, part);
    if (part.running++ === 0) part.since = performance.now();
  }

  end(name: string): void {
    const part = this.parts.get(name);
    if (part && --part.running === 0) part.took += performance.now() - part.since;
  }

  /** The current value of `Server-Timing`. */
  toString(): string {
    const now = performance.now();
    const parts = [...this.parts].map(([name, { running, since, took }]) =>
      metric(name, took + (running > 0 ? now - since : 0)),
    );
    return [...parts, metric('total', now - this.begun)].join(', ');
  }
}

const metric = (name: string, milliseconds: number): string => `${name};dur=${milliseconds.toFixed(1)}`;
