import type { INestApplicationContext } from '@nestjs/common';
import { CalendarOptionsService } from '../calendar/calendar-options.service.js';
import { CALENDAR_OPTION, OCCURRENCE_BASE_OPTION } from '../calendar/calendar-settings.js';
import { firstLine } from '../common/errors/first-line.js';
import { type Environment, ownEnvironment } from '../config/env.js';
import { dataSourceOptions } from '../database/data-source-options.js';
import { Database } from '../database/database.js';
import { isReadOnly } from '../database/database-errors.js';
import { createTable, SITE_TABLES } from '../database/migrations/1700000000000-create-site.js';
import { API_KEYS } from '../database/migrations/1764000001000-create-api-keys.js';
import { connect, isEmpty, tableNames } from '../database/open-site.js';
import { Replicas } from '../database/replicas.js';
import { tableName } from '../database/site-naming.js';
import { StartError } from '../database/start-error.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { EventTablesService } from '../resources/events/event-tables.service.js';
import { readOptions } from '../wordpress/options/read-options.js';
import { useConfiguredZoneData } from '../wordpress/use-zone-data.js';
import { type Check, type Finding, findings } from './doctor/check.js';
import { CHECKS } from './doctor/checks.js';
import { type Facts, siteFacts } from './doctor/facts.js';
import { type SiteFacts, SiteView } from './doctor/site-view.js';
import { CALENDAR_TABLES, tablesCheck } from './doctor/tables.check.js';
import { withSite } from './site-application.js';

/** Options of the doctor; all have defaults. */
interface DoctorOptions {
  /** The configuration; by default that of the process, after `.env` of the working directory was read. */
  env?: Environment;
  progress?: (line: string, share?: number) => void;
  /** The present, in epoch milliseconds. */
  now?: number;
}

export interface Report {
  facts: Facts;
  findings: readonly Finding[];
  /** Whether there are neither errors nor warnings. */
  healthy: boolean;
}

interface FixReport {
  kind: string;
  findings: readonly Finding[];
  /** What was fixed; absent if nothing was. */
  done?: string;
}

type Known = Pick<SiteFacts, 'env' | 'progress' | 'now'>;

function completed(options: DoctorOptions): Known {
  const { env = ownEnvironment(), progress = () => undefined, now = Date.now() } = options;
  return { env, progress, now };
}

/** Checks a site without changing it, even if the server cannot start on it; throws `StartError` if it cannot. */
export function doctor(options: DoctorOptions = {}): Promise<Report> {
  return onView(completed(options), async (site) => {
    const facts = await siteFacts(site);
    const findings: Finding[] = [];
    for (const [at, check] of CHECKS.entries()) {
      site.facts.progress(`Looking for ${check.title}.`, at / CHECKS.length);
      findings.push(...(await runCheck(check, site)));
    }
    return { facts, findings, healthy: findings.every(({ severity }) => severity === 'note') };
  });
}

/** Fixes the findings of one kind in a transaction once `confirm` agrees; throws `StartError` if it cannot write. */
export async function fix(
  kind: string,
  confirm: (findings: readonly Finding[], check: Check) => Promise<boolean>,
  options: DoctorOptions = {},
): Promise<FixReport> {
  const check = CHECKS.find((one) => one.kind === kind);
  if (!check?.fixSummary) throw new StartError(`There is no fix for "${kind}".`);
  const known = completed(options);
  const found = await onView(known, (site) => {
    const missing = (check.tables ?? []).filter((name) => !site.has(name)).map((name) => site.nameOf(name));
    if (missing.length > 0)
      throw new StartError(
        `Could not check: ${missing.sort().join(', ')} missing. "almanac doctor" tells what to do.`,
      );
    return runCheck(check, site, true);
  });
  const findings = found.filter(({ fixable }) => fixable);
  const unseen = found.find(({ name }) => name === `${kind}-unseen`);
  if (unseen) throw new StartError(`${unseen.what}.`);
  const refused = found.find(({ name }) => name === `${kind}-disputed`);
  if (refused && findings.length === 0)
    throw new StartError(`Nothing was changed: ${refused.what}. ${refused.advice}`);
  if (findings.length === 0 || !(await confirm(findings, check))) return { kind, findings };
  if (check === tablesCheck) return { kind, findings, done: await onView(known, makeTables) };
  const done = await withSite((app) => repair(app, check, known), known.env);
  return { kind, findings, ...(done !== undefined && { done }) };
}

function repair(app: INestApplicationContext, check: Check, known: Known): Promise<string | undefined> {
  const database = app.get(Database);
  const work = async (transaction: Transaction) => {
    const site = new SiteView(database, await readFacts(database, known)).within(transaction);
    const eventTables = app.get(EventTablesService);
    return check.fix?.(site, { transaction, eventTables, calendarOptions: app.get(CalendarOptionsService) });
  };
  return app.get(Transactions).run(work, known.now);
}

/** Runs a check; a failed check is a finding too, except for missing rights, unless the check runs `alone`. */
async function runCheck(check: Check, site: SiteView, alone = false): Promise<Finding[]> {
  const { kind, title, tables = [], serverOnly } = check;
  if ((serverOnly && !site.isServer) || !site.has(...tables)) return [];
  try {
    return findings(check, await check.find(site));
  } catch (error) {
    // The check of rights reports unreadable tables.
    if (isReadOnly(error) && !alone) return [];
    return findings(check, {
      name: `${kind}-unseen`,
      severity: 'error',
      what: `Could not look for ${title}: ${firstLine(error).replace(/\.$/, '')}`,
      count: 1,
      why: 'The database refused the question, so nobody knows.',
      advice: 'See what the database says of it; a broken table may need CHECK TABLE.',
    });
  }
}

/** Opens a site read-only, runs the work and closes the connection. */
async function onView<T>(known: Known, work: (site: SiteView) => Promise<T>): Promise<T> {
  const { env } = known;
  useConfiguredZoneData(env);
  const source = await connect(dataSourceOptions(env, true), env);
  try {
    const database = new Database(source, new Replicas(source, env));
    const facts = await readFacts(database, known);
    // The error also names alternatives, such as another prefix.
    if (facts.tables.size === 0 && (await isEmpty(source, env)))
      throw new StartError('The database is empty: there is no site in it.');
    return await work(new SiteView(database, facts));
  } finally {
    await source.destroy();
  }
}

async function readFacts(database: Database, facts: Known): Promise<SiteFacts> {
  const all = await tableNames(database.source);
  const known = [...SITE_TABLES, 'almanac_webhooks', API_KEYS];
  const tables = new Set(known.filter((name) => all.has(tableName(database.source, name))));
  const options = tables.has('options') ? await optionsOf(database) : new Map();
  return { ...facts, tables, options };
}

async function optionsOf(database: Database): Promise<Map<string, string>> {
  const names = [
    ...['home', 'siteurl', 'blogname', 'timezone_string', 'gmt_offset', 'permalink_structure'],
    ...['active_plugins', 'cron', 'tec_ct1_migration_state', CALENDAR_OPTION, OCCURRENCE_BASE_OPTION],
    `${database.tablePrefix}user_roles`,
  ];
  try {
    return await readOptions(database, names);
  } catch (error) {
    // The check of rights reports it.
    if (isReadOnly(error)) return new Map();
    throw error;
  }
}

/** Without a transaction, because servers commit when a table is created. */
async function makeTables({ database, facts }: SiteView): Promise<string> {
  const runner = database.source.createQueryRunner();
  const missing = CALENDAR_TABLES.filter((name) => !facts.tables.has(name));
  try {
    for (const name of missing) await createTable(runner, name);
  } catch (error) {
    throw new StartError(`The tables could not be made: ${firstLine(error)}`);
  } finally {
    await runner.release();
  }
  return `Made ${missing.map((name) => tableName(database.source, name)).join(' and ')}, empty.`;
}
