import type { Repair } from './repair.js';
import type { SiteView } from './site-view.js';

/** How much a finding weighs: answers are wrong or fail, rows contradict each other, or it is only good to know. */
export type Severity = 'error' | 'warning' | 'note';

/** Something that was found, in words for whoever runs the site. */
export interface Finding {
  /** The kind of the check that found it: what `--fix` takes. */
  kind: string;
  /** Tells the findings of one kind apart; stays the same from version to version. */
  name: string;
  severity: Severity;
  what: string;
  /** How many rows, records or other things it is about. */
  count: number;
  /** Up to five of them: ids where they have some. */
  examples: readonly (number | string)[];
  /** Why it matters. */
  why: string;
  /** What to do about it. */
  advice: string;
  /** Whether `--fix` with its kind mends it. */
  fixable: boolean;
}

/** One kind of thing to look at; a new one is a new file, named in checks.ts. */
export interface Check {
  /** One word. */
  kind: string;
  /** What is looked at, for the list of kinds. */
  title: string;
  /** Tables, without prefix, that it reads: where one is missing it is not asked. */
  tables: readonly string[];
  /** Whether it asks what only servers know, so that there is nothing to look at in an SQLite file. */
  serverOnly?: true;
  /** Looks, changing nothing. */
  look(site: SiteView): Promise<Found | Found[]>;
  /** What `fix` does, in a few words. */
  mends?: string;
  /** Mends what `look` calls fixable, within one transaction; says how much of what. */
  fix?(site: SiteView, repair: Repair): Promise<string>;
}

/** Examples that a finding names. */
export const EXAMPLES = 5;

/** What a check says of something that it looked for; a count of 0 says that there is nothing of it. */
export type Found = Omit<Finding, 'kind' | 'count' | 'examples' | 'fixable'> &
  Partial<Pick<Finding, 'count' | 'examples' | 'fixable'>>;

/** The findings of a check. Where it does not count, its examples are all that there is. */
export function findings({ kind }: Pick<Check, 'kind'>, found: Found | Found[]): Finding[] {
  return [found]
    .flat()
    .flatMap(({ name, severity, what, examples = [], count = examples.length, ...words }) => {
      const { why, advice, fixable = false } = words;
      const some = examples.slice(0, EXAMPLES);
      return count === 0 ? [] : [{ kind, name, severity, what, count, examples: some, why, advice, fixable }];
    });
}
