import { type CurrentRequest, getStore } from '../../common/context/request-store.js';

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

/** Runs work and adds its duration to a part of `Server-Timing`. */
export function timed<T>(part: string, work: () => Promise<T>): Promise<T> {
  const timings = getStore()?.request?.timings;
  return timings ? measured(timings, part, work) : work();
}

async function measured<T>(
  timings: NonNullable<CurrentRequest['timings']>,
  part: string,
  work: () => Promise<T>,
): Promise<T> {
  timings.begin(part);
  try {
    return await work();
  } finally {
    timings.end(part);
  }
}
