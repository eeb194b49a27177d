import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ScheduleRun } from '../../src/scheduler/schedule-run.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { clientOf, type Reply, type Send } from '../support/calendar-client.js';
import { serverMissing } from '../support/mariadb.js';
import { makeSite, SERVER_NAME, type Site } from '../support/sites.js';

const SEED = join(__dirname, '..', '..', 'bench', 'seed.mjs');
/** The tolerance of two measurements in rows: settings are read once a second, index pages split. */
const SLACK = 100;

/** Statements on records, and the rows that they read. */
interface Cost {
  statements: number;
  rows: number;
}

/** A server on a calendar of some size, with one connection whose status variables count the rows that a write reads. */
class Calendar {
  private constructor(
    private readonly site: Site,
    private readonly app: TestApp,
    readonly send: Send,
  ) {}

  static async of(events: number, env: Record<string, string> = {}): Promise<Calendar> {
    const site = await makeSite(SERVER_NAME);
    const options = { env: { ...process.env, DATABASE_URL: site.url } };
    const seed = [SEED, '--events', String(events), '--around', '2091-01-01'];
    await promisify(execFile)(process.execPath, seed, options);
    const app = await startApp({
      databaseUrl: site.url,
      env: { DATABASE_POOL_SIZE: '1', CACHE: 'off', ...env },
    });
    await app.dataSource.query(
      'ANALYZE TABLE wp_posts, wp_postmeta, wp_tec_occurrences, wp_term_relationships',
    );
    return new Calendar(site, app, clientOf(app.url));
  }

  ask = (sql: string): Promise<Record<string, never>[]> => this.app.dataSource.query(sql);

  /** The cost of one write. */
  async cost(write: () => Promise<Reply>): Promise<Cost & { reply: Reply }> {
    const { result: reply, ...cost } = await this.measure(write);
    if (reply.status >= 300) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
    return { ...cost, reply };
  }

  /** The cost of a scheduled run. */
  async costOfRun(): Promise<Cost> {
    const { result: _, ...cost } = await this.measure(() => this.app.nest.get(ScheduleRun).once());
    return cost;
  }

  private async measure<T>(work: () => Promise<T>): Promise<Cost & { result: T }> {
    const read = async () =>
      (await this.ask("SHOW SESSION STATUS LIKE 'Handler_read%'")).reduce(
        (sum, row) => sum + Number(row['Value']),
        0,
      );
    const before = await read();
    this.app.statements();
    const result = await work();
    const { records, sql } = this.app.statements();
    // The bookkeeping has seconds: it is written only when one has passed.
    const noted = sql.filter((text) => text.startsWith('UPDATE `wp_postmeta`')).length;
    return { statements: records - noted, rows: (await read()) - before, result };
  }

  pass(milliseconds: number): void {
    this.app.clock.pass(milliseconds);
  }

  /** The ids used by most events. */
  async popular() {
    const most = async (sql: string) =>
      Number((await this.ask(`${sql} ORDER BY COUNT(*) DESC, 1 LIMIT 1`))[0]?.['id']);
    const term = (taxonomy: string) =>
      most(`SELECT x.term_id AS id FROM wp_term_taxonomy x JOIN wp_term_relationships r USING (term_taxonomy_id)
        WHERE x.taxonomy = '${taxonomy}' GROUP BY x.term_id`);
    const linked = (key: string) =>
      most(`SELECT meta_value AS id FROM wp_postmeta WHERE meta_key = '${key}' GROUP BY meta_value`);
    return {
      categories: [await term('tribe_events_cat')],
      tags: [await term('post_tag'), 'A tag that nobody has'],
      venue: await linked('_EventVenueID'),
      organizer: await linked('_EventOrganizerID'),
    };
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.site.drop();
  }
}

const DATES = { start_date: '2091-05-01 10:00:00', end_date: '2091-05-01 12:00:00' };

/** Writes of one event and one tag, in order, each with its cost. */
async function costs(calendar: Calendar): Promise<Record<string, Cost>> {
  const all: Record<string, Cost> = {};
  const { send } = calendar;
  const links = await calendar.popular();
  const note = async (name: string, method: string, path: string, body?: unknown) => {
    const { reply, ...cost } = await calendar.cost(() => send('admin', method, path, body));
    all[name] = cost;
    return reply.body['id'];
  };
  await note('first', 'POST', '/events', { ...DATES, title: 'The first' });
  const id = await note('create', 'POST', '/events', { ...DATES, ...links, title: 'Growing up' });
  await note('update', 'PUT', `/events/${id}`, { title: 'Grown up', start_date: '2091-05-01 09:00:00' });
  await note('unpublish', 'PUT', `/events/${id}`, { status: 'draft' });
  await note('publish', 'PUT', `/events/${id}`, { status: 'publish', slug: 'growing-up', tags: [] });
  await note('delete', 'DELETE', `/events/${id}`);
  await note('later than all', 'POST', '/events', { ...DATES, title: 'The last', end_date: '2099-01-01' });
  await note('earlier than all', 'POST', '/events', { ...DATES, title: 'Before', start_date: '1980-01-01' });
  await note('schedule', 'POST', '/events', {
    ...DATES,
    ...links,
    title: 'Due',
    date: '2091-03-01 08:00:00',
  });
  all['run in which nothing is due'] = await calendar.costOfRun();
  calendar.pass(24 * 3600 * 1000);
  all['run that publishes'] = await calendar.costOfRun();
  const tag = await note('create tag', 'POST', '/tags', { name: 'A new tag' });
  await note('update tag', 'PUT', `/tags/${tag}`, { name: 'A newer tag', slug: 'newer' });
  await note('delete tag', 'DELETE', `/tags/${tag}`);
  return all;
}

(serverMissing() ? describe.skip : describe)('a calendar that grows', () => {
  it.each([
    ['with a trash', {}],
    ['without a trash', { EMPTY_TRASH_DAYS: '0' }],
  ])(
    'reads no more rows for a write as the calendar grows, %s',
    async (_name, env: Record<string, string>) => {
      const found = [];
      for (const events of [1000, 20_000]) {
        const calendar = await Calendar.of(events, env);
        found.push(await costs(calendar));
        await calendar.close();
      }
      const [small = {}, big = {}] = found;
      const statements = (all: typeof small) =>
        Object.entries(all).map(([name, cost]) => [name, cost.statements]);
      expect(statements(big)).toEqual(statements(small));
      const grown = Object.entries(big).filter(([name, { rows }]) => rows > (small[name]?.rows ?? 0) + SLACK);
      expect(grown.map(([name, { rows }]) => `${name}: ${rows} instead of ${small[name]?.rows}`)).toEqual([]);
      expect(Math.max(...Object.values(big).map(({ rows }) => rows))).toBeLessThan(600);
    },
  );

  it('searches for another latest end only when the event with the present one changes, once over one index', async () => {
    const events = 20_000;
    const calendar = await Calendar.of(events);
    const last =
      "SELECT post_id AS id FROM wp_tec_occurrences o JOIN wp_posts p ON p.ID = o.post_id WHERE p.post_status IN ('publish', 'private') ORDER BY end_date_utc DESC, post_id LIMIT 1";
    const [event] = await calendar.ask(last);
    const { rows } = await calendar.cost(() => calendar.send('admin', 'DELETE', `/events/${event?.['id']}`));
    expect(rows).toBeGreaterThan(events);
    expect(rows).toBeLessThan(events + 1000);
    const [next] = await calendar.ask(last);
    const [options] = await calendar.ask(
      "SELECT option_value AS value FROM wp_options WHERE option_name = 'tribe_events_calendar_options'",
    );
    expect(String(options?.['value'])).toContain(`s:19:"latest_date_markers";a:1:{i:0;i:${next?.['id']};}`);
    await calendar.close();
  });
});
