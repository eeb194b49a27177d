import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

const FOLDER = join(__dirname, '..', 'fixtures', 'vectors');

/** The parsed rows of one recorded vector file. */
export function loadVectors<T>(name: string): T {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as T;
}

/** The recorded and the computed result of a row, and its description in a report. */
export interface Outcome {
  expected: unknown;
  actual: unknown;
}

/**
 * Declares one test over all rows; its failure lists the rows that differ. A row may differ only if `exceptions` gives the
 * reason for its index; exceptions that no longer differ fail too.
 */
export function proveVectors<R>(
  name: string,
  rows: readonly R[],
  run: (row: R, index: number) => Outcome,
  exceptions: Readonly<Record<number, string>> = {},
): void {
  it(`${name}: ${rows.length} vectors`, () => {
    const differing: string[] = [];
    const healed: number[] = [];
    rows.forEach((row, index) => {
      let outcome: Outcome;
      try {
        outcome = run(row, index);
      } catch (error) {
        outcome = { expected: 'an answer', actual: `threw ${(error as Error).stack}` };
      }
      const same = isDeepStrictEqual(outcome.actual, outcome.expected);
      if (same && index in exceptions) healed.push(index);
      if (!same && !(index in exceptions)) {
        differing.push(
          `#${index} ${JSON.stringify(row).slice(0, 600)}\n   expected ${JSON.stringify(outcome.expected)}\n   actual   ${JSON.stringify(outcome.actual)}`,
        );
      }
    });
    expect(healed).toEqual([]);
    if (differing.length > 0)
      throw new Error(`${differing.length} of ${rows.length} differ\n${differing.slice(0, 25).join('\n')}`);
  });
}
