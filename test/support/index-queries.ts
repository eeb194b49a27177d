import { setTimeout as sleep } from 'node:timers/promises';
import { calendarSettings } from '../../src/calendar/calendar-settings.js';
import { Database } from '../../src/database/database.js';
import { makeContext, type RequestContext } from '../../src/http/request-context.js';
import { RequestTime } from '../../src/http/request-time.js';
import type { ListEventsQuery } from '../../src/resources/events/event.dto.js';
import { eventQuery, eventWindow } from '../../src/resources/events/event.query.js';
import { EventIndexService } from '../../src/resources/events/index/event-index.service.js';
import { eventIndexQuery } from '../../src/resources/events/index/event-index-query.js';
import { SettingsService } from '../../src/wordpress/options/settings.service.js';
import type { PostQuery } from '../../src/wordpress/posts/post-query.js';
import { entryId } from '../../src/wordpress/posts/post-record.js';
import { ContentTypes } from '../../src/wordpress/types/content-types.js';
import type { TestApp } from './app.js';
import type { SeededRandom } from './unusual-values.js';

/** The result of a list, from the index or from SQL. */
export interface IndexAnswer {
  ids: number[];
  total: number;
}

/** Queries the index of a running server without HTTP. */
export class IndexQueries {
  readonly index: EventIndexService;

  private constructor(
    private readonly app: TestApp,
    private readonly context: RequestContext,
  ) {
    this.index = app.nest.get(EventIndexService, { strict: false });
  }

  static async of(app: TestApp): Promise<IndexQueries> {
    const get = <T>(type: new (...args: never[]) => T) => app.nest.get<T>(type, { strict: false });
    const settings = calendarSettings(await get(SettingsService).current());
    const base = { root: 'http://calendar.example.org/', namespace: 'cal/events/v1' };
    const parts = { settings, base, time: new RequestTime(app.clock.now()) };
    return new IndexQueries(app, makeContext(null, parts, get(ContentTypes)));
  }

  list(query: Partial<ListEventsQuery>, mode: object = {}): PostQuery {
    const whole = { page: 1, per_page: 10, strict_dates: true, ...query };
    const context = { ...this.context, settings: { ...this.context.settings, ...mode } };
    const window = eventWindow(whole, context);
    const list = eventQuery(this.app.nest.get(Database), whole, window, context);
    this.index.note(list, eventIndexQuery(whole, window, context));
    return list;
  }

  /** The result of the index once it is loaded; undefined where it leaves the list to SQL. */
  async answer(query: Partial<ListEventsQuery>, mode: object = {}): Promise<IndexAnswer | undefined> {
    for (let attempts = 0; attempts < 3; attempts++) {
      const page = await this.index.page(this.list(query, mode));
      if (page) return { ids: [...page.ids], total: page.total };
      await this.ready(mode);
    }
    return undefined;
  }

  /** Waits until the index answers: some seconds after a change. */
  async ready(mode: object = {}): Promise<void> {
    for (let left = 550; left > 0; left--) {
      if (await this.index.page(this.list({}, mode))) return;
      await this.index.settled();
      await sleep(100);
    }
    throw new Error('There is no index after a minute.');
  }

  /** Waits until no table counts as recently changed: the index stays valid for longer than a poll interval. */
  async quiet(): Promise<void> {
    do {
      await this.ready();
      await sleep(1000);
    } while (!(await this.index.page(this.list({}))));
  }

  async sql(query: Partial<ListEventsQuery>, mode: object = {}) {
    const list = this.list(query, mode);
    const [rows, total] = await Promise.all([list.rows(), list.total()]);
    return { ids: rows.map(entryId), total };
  }
}

/** The values that filters may use. */
export interface IndexFacts {
  terms: readonly number[];
  venues: readonly number[];
  organizers: readonly number[];
  from: number;
  days: number;
}

/** Random filters of every kind, alone and combined. */
export function randomQuery(
  dice: SeededRandom,
  { terms, venues, organizers, from, days }: IndexFacts,
): Partial<ListEventsQuery> {
  const maybe = <T>(sides: number, value: () => T) => (dice.roll(sides) === 0 ? value() : undefined);
  const date = () =>
    new Date(from + dice.roll(days * 6) * 4 * 3_600_000 - (dice.roll(2) && 1000))
      .toISOString()
      .slice(0, 19)
      .replace('T', ' ');
  const some = (all: readonly number[]) => Array.from({ length: 1 + dice.roll(3) }, () => dice.pick(all));
  const linked = (all: readonly number[]) => {
    const ids = some(all);
    return { ids, text: ids.join(',') };
  };
  const query = {
    start_date: maybe(3, date),
    end_date: maybe(4, date),
    starts_before: maybe(5, date),
    starts_after: maybe(5, date),
    ends_before: maybe(5, date),
    ends_after: maybe(5, date),
    categories: maybe(4, () => some(terms)),
    tags: maybe(6, () => some(terms)),
    venue: maybe(6, () => linked(venues)),
    organizer: maybe(6, () => linked(organizers)),
    featured: maybe(4, () => dice.roll(2) === 0),
  };
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(given),
    page: 1 + dice.roll(dice.pick([1, 4, 100])),
    per_page: dice.pick([1, 7, 50]),
  };
}
