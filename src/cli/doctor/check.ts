import type { CalendarOptionsService } from '../../calendar/calendar-options.service.js';
import type { Transaction } from '../../database/transactions.js';
import type { EventTablesService } from '../../resources/events/event-tables.service.js';
import { EXAMPLES, type SiteView } from './site-view.js';

/** Weight of a finding: responses are wrong, rows are inconsistent, or information only. */
type Severity = 'error' | 'warning' | 'note';

/** A finding in words for the site's operator. */
export interface Finding {
  /** The kind of the check, which `--fix` takes. */
  kind: string;
  /** Identifies the finding within its kind; stable between versions. */
  name: string;
  severity: Severity;
  what: string;
  /** Number of affected rows or records. */
  count: number;
  /** Up to five examples, ids if there are any. */
  examples: readonly (number | string)[];
  why: string;
  advice: string;
  /** Whether `--fix` with this kind fixes it, as the advice then says. */
  fixable: boolean;
}

/** The services of the server that a fix writes with, in one transaction. */
export interface Repair {
  transaction: Transaction;
  eventTables: EventTablesService;
  calendarOptions: CalendarOptionsService;
}

/** A check of one kind; each is a file listed in checks.ts. */
export interface Check {
  kind: string;
  title: string;
  /** Tables that it reads, without prefix; the check is skipped if one is missing. */
  tables?: readonly string[];
  /** Whether it only applies to database servers, not to SQLite. */
  serverOnly?: true;
  /** Checks the site without changing it. */
  find(site: SiteView): Promise<Found | Found[]>;
  /** Short description of the fix. */
  fixSummary?: string;
  /** Fixes what `look` reports as fixable within a transaction and returns a summary. */
  fix?(site: SiteView, repair: Repair): Promise<string>;
}

/** A finding of a check; a count of 0 means that there is none. */
export type Found = Omit<Finding, 'kind' | 'count' | 'examples' | 'fixable'> &
  Partial<Pick<Finding, 'count' | 'examples'>>;

/** Completes the findings of a check; without a count, the examples are counted. */
export function findings({ kind }: Pick<Check, 'kind'>, found: Found | Found[]): Finding[] {
  return [found]
    .flat()
    .flatMap(({ name, severity, what, examples = [], count = examples.length, ...words }) => {
      const { why, advice } = words;
      const fixable = advice.includes(`--fix ${kind}`);
      const some = examples.slice(0, EXAMPLES);
      return count === 0 ? [] : [{ kind, name, severity, what, count, examples: some, why, advice, fixable }];
    });
}
