import { Injectable } from '@nestjs/common';
import { calendarSettings } from '../calendar/calendar-settings.js';
import { CATEGORY } from '../categories/category-type.js';
import { Environment, OWN_NAMESPACE } from '../config/env.js';
import type { Transaction } from '../database/transactions.js';
import { costRows } from '../events/cost-write.js';
import { EventWriter } from '../events/event-writer.service.js';
import { makeContext, type RequestContext } from '../http/request-context.js';
import type { StorableFields } from '../linked-posts/linked-post-fields.js';
import { LinkedPostWriter } from '../linked-posts/linked-post-writer.js';
import type { LinkedPostType } from '../linked-posts/linked-post-type.js';
import { ORGANIZER } from '../organizers/organizer-type.js';
import { TAG } from '../tags/tag-type.js';
import { VENUE } from '../venues/venue-type.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import { Post } from '../wordpress/posts/post.entity.js';
import { present } from '../wordpress/posts/post-dates.js';
import { PostMeta } from '../wordpress/posts/post-meta.entity.js';
import { TermWriter } from '../wordpress/terms/term-writer.js';
import { ContentTypes } from '../wordpress/types/content-types.js';
import type { DemoEvent } from './data/demo-event.js';
import { DEMO_EVENTS } from './data/demo-events.js';
import { DEMO_ORGANIZERS } from './data/demo-organizers.js';
import { DEMO_SERIES } from './data/demo-series.js';
import { DEMO_CATEGORIES, DEMO_TAGS, type DemoCategory } from './data/demo-terms.js';
import { DEMO_VENUES } from './data/demo-venues.js';
import { datesOf, daysFrom, timesOf } from './demo-dates.js';
import { type NewSite, writeUser } from './new-site.js';

type LinkedIds<T> = Readonly<Record<keyof T, number>>;

/** Ids that the events of the demo refer to. */
interface DemoRecords {
  authors: readonly number[];
  venues: LinkedIds<typeof DEMO_VENUES>;
  organizers: LinkedIds<typeof DEMO_ORGANIZERS>;
}

/** Fills a new site with the demo calendar, through the same writers as the interface; dates lie around the present. */
@Injectable()
export class DemoCalendar {
  constructor(
    private readonly env: Environment,
    private readonly settings: SettingsService,
    private readonly events: EventWriter,
    private readonly linkedPosts: LinkedPostWriter,
    private readonly terms: TermWriter,
    private readonly types: ContentTypes,
  ) {}

  async fill(transaction: Transaction, site: NewSite): Promise<void> {
    const { manager } = transaction;
    const mara = { login: 'mara', name: 'Mara Holt', role: 'editor', level: 7 };
    const jonas = { login: 'jonas', name: 'Jonas Weber', role: 'author', level: 2 };
    const authors = [await writeUser(manager, mara, site), await writeUser(manager, jonas, site)];
    const context = await this.contextOf(transaction, authors[0] ?? 0, site);
    const { locale } = context.settings.render;
    await this.fillCategories(transaction, DEMO_CATEGORIES, 0, locale);
    for (const [name, description] of Object.entries(DEMO_TAGS))
      await this.terms.insert(transaction, TAG.taxonomy, { name, description }, locale);
    const records: DemoRecords = {
      authors,
      venues: await this.fillLinked(transaction, VENUE, DEMO_VENUES, context),
      organizers: await this.fillLinked(transaction, ORGANIZER, DEMO_ORGANIZERS, context),
    };
    for (const [key, { at }] of Object.entries(DEMO_VENUES))
      await manager.insert(
        PostMeta,
        ['_VenueLat', '_VenueLng'].map((name, axis) => ({
          postId: records.venues[key as keyof typeof DEMO_VENUES],
          key: name,
          value: String(at[axis]),
        })),
      );
    const events = [...DEMO_SERIES.flatMap(timesOf), ...DEMO_EVENTS];
    for (const [number, event] of events.entries())
      await this.fillEvent(transaction, event, number, records, context);
  }

  /** What an editor would do the same with. */
  private async contextOf(
    transaction: Transaction,
    userId: number,
    { now }: NewSite,
  ): Promise<RequestContext> {
    const settings = calendarSettings(await this.settings.within(transaction));
    const granted = [...(settings.roles.get('administrator') ?? [])].map(([name]) => name);
    const user = { id: userId, capabilities: new Set(granted) };
    const base = { root: this.env.restBaseUrl, namespace: OWN_NAMESPACE };
    return makeContext(user, { settings, base, now }, this.types);
  }

  private async fillCategories(
    transaction: Transaction,
    categories: readonly DemoCategory[],
    parent: number,
    locale: string,
  ): Promise<void> {
    for (const { children = [], ...category } of categories) {
      const id = await this.terms.insert(transaction, CATEGORY.taxonomy, { ...category, parent }, locale);
      await this.fillCategories(transaction, children, id, locale);
    }
  }

  private async fillLinked<T extends Readonly<Record<string, StorableFields>>>(
    transaction: Transaction,
    kind: LinkedPostType,
    records: T,
    context: RequestContext,
  ): Promise<LinkedIds<T>> {
    const ids: [string, number][] = [];
    for (const [key, fields] of Object.entries(records))
      ids.push([key, (await this.linkedPosts.findOrCreate(transaction, kind, fields, context)).id]);
    return Object.fromEntries(ids) as LinkedIds<T>;
  }

  private async fillEvent(
    transaction: Transaction,
    event: DemoEvent,
    number: number,
    { authors, venues, organizers }: DemoRecords,
    context: RequestContext,
  ): Promise<void> {
    const today = present(context.now, context.settings.zone).local;
    const { title, description, excerpt, website, status, venue, featured, sticky } = event;
    const id = await this.events.insert(
      transaction,
      {
        ...{ title, description, excerpt, website, featured, sticky },
        ...datesOf(event, today),
        status: status ?? 'publish',
        author: authors[number % authors.length],
        date: daysFrom(today, event.publishedIn ?? -20 - (number % 40)),
        timezone: event.zone ?? context.settings.zone,
        hide_from_listings: event.hidden,
        show_map: venue !== undefined,
        show_map_link: venue !== undefined,
        cost: costRows(event.cost ?? ''),
        categories: [...event.categories],
        tags: [...(event.tags ?? [])],
        venue: venue && [{ id: venues[venue] }],
        organizer: event.organizers?.map((key) => ({ id: organizers[key] })),
      },
      context,
    );
    if (event.password) await transaction.manager.update(Post, id, { password: event.password });
  }
}
