import { Injectable } from '@nestjs/common';
import { calendarSettings } from '../calendar/calendar-settings.js';
import { Environment, OWN_NAMESPACE } from '../config/env.js';
import type { Transaction } from '../database/transactions.js';
import { makeContext, toWriteContext, type WriteContext } from '../http/request-context.js';
import { RequestTime } from '../http/request-time.js';
import { CATEGORY } from '../resources/categories/category-type.js';
import { costRows } from '../resources/events/cost-write.js';
import { EventWriter } from '../resources/events/event-writer.service.js';
import type { LinkedPostFields, LinkedPostType } from '../resources/linked-posts/linked-post-type.js';
import { LinkedPostWriter } from '../resources/linked-posts/linked-post-writer.js';
import { ORGANIZER } from '../resources/organizers/organizer-type.js';
import { TAG } from '../resources/tags/tag-type.js';
import { VENUE } from '../resources/venues/venue-type.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import { MetaWriter } from '../wordpress/posts/meta-writer.js';
import { Post } from '../wordpress/posts/post.entity.js';
import { nowInZone } from '../wordpress/posts/post-dates.js';
import { TermWriter } from '../wordpress/terms/term-writer.js';
import { ContentTypes } from '../wordpress/types/content-types.js';
import type { DemoEvent } from './demo-data.js';
import { datesOf, daysFrom, timesOf } from './demo-dates.js';
import { DemoPictures } from './demo-pictures.service.js';
import { type NewSite, writeUser } from './new-site.js';

/** Ids of venues or organizers by their keys in the demo's events. */
type LinkedIds = ReadonlyMap<string, number>;

/** Fills a new site with the demo calendar through the interface's writers; dates are relative to the present. */
@Injectable()
export class DemoCalendar {
  constructor(
    private readonly env: Environment,
    private readonly settings: SettingsService,
    private readonly events: EventWriter,
    private readonly linkedPosts: LinkedPostWriter,
    private readonly terms: TermWriter,
    private readonly types: ContentTypes,
    private readonly pictures: DemoPictures,
  ) {}

  async fill(transaction: Transaction, site: NewSite): Promise<void> {
    const { manager } = transaction;
    const mara = { login: 'mara', name: 'Mara Holt', role: 'editor', level: 7 };
    const jonas = { login: 'jonas', name: 'Jonas Weber', role: 'author', level: 2 };
    const authors = [await writeUser(manager, mara, site), await writeUser(manager, jonas, site)];
    const context = await this.getContext(transaction, authors[0] ?? 0, site);
    const { locale } = context.settings.render;
    // Only the first start needs the data.
    const demo = await import('./demo-data.js');
    const termIds = new Map<string, number>();
    for (const { taxonomy, name, parent = '', description } of demo.demoTerms()) {
      const type = taxonomy === 'tag' ? TAG : CATEGORY;
      const fields = { name, description, parent: termIds.get(parent) ?? 0 };
      termIds.set(name, await this.terms.insert(transaction, type.taxonomy, fields, locale));
    }
    const places = demo.demoVenues();
    const venues = await this.fillLinked(transaction, VENUE, places, context);
    const organizers = await this.fillLinked(transaction, ORGANIZER, demo.demoOrganizers(), context);
    for (const { key, latitude, longitude } of places)
      await MetaWriter.forNew(manager, venues.get(key) ?? 0)
        .add('_VenueLat', latitude)
        .add('_VenueLng', longitude)
        .save();
    const withImage: { id: number; image: string }[] = [];
    const events = demo.demoEvents().flatMap(timesOf);
    for (const [number, event] of events.entries()) {
      const author = authors[number % authors.length];
      const today = nowInZone(context.now, context.settings.zone).local;
      const date = daysFrom(today, event.publishedIn ?? -20 - (number % 40));
      const fields = { ...fieldsOf(event, venues, organizers), ...datesOf(event, today), author, date };
      const { id } = await this.events.insert(transaction, fields, context);
      if (event.image) withImage.push({ id, image: event.image });
      if (event.password) await manager.update(Post, id, { password: event.password });
    }
    await this.pictures.add(transaction, withImage, context);
  }

  /** A context with the rights of an administrator. */
  private async getContext(
    transaction: Transaction,
    userId: number,
    { now }: NewSite,
  ): Promise<WriteContext> {
    const settings = calendarSettings(await this.settings.within(transaction));
    const user = { id: userId, capabilities: new Set(settings.roles.get('administrator')?.keys()) };
    const base = { root: this.env.restBaseUrl, namespace: OWN_NAMESPACE };
    const time = new RequestTime(now);
    return toWriteContext(makeContext(user, { settings, base, time }, this.types));
  }

  private async fillLinked(
    transaction: Transaction,
    kind: LinkedPostType,
    records: readonly (LinkedPostFields & { key: string })[],
    context: WriteContext,
  ): Promise<LinkedIds> {
    const ids = new Map<string, number>();
    for (const { key, ...fields } of records)
      ids.set(key, (await this.linkedPosts.findOrCreate(transaction, kind, fields, context)).id);
    return ids;
  }
}

/** The fields of an event that do not depend on the present. */
function fieldsOf(event: DemoEvent, venues: LinkedIds, organizers: LinkedIds) {
  const { title, description, excerpt, website, status, venue, featured, sticky } = event;
  return {
    ...{ title, description, excerpt, website, featured, sticky },
    status: status ?? 'publish',
    timezone: event.zone,
    hide_from_listings: event.hidden,
    show_map: venue !== undefined,
    show_map_link: venue !== undefined,
    cost: costRows(event.cost ?? ''),
    categories: event.categories,
    tags: event.tags ?? [],
    venue: venue === undefined ? undefined : [{ id: venues.get(venue) ?? 0 }],
    organizer: event.organizers?.map((key) => ({ id: organizers.get(key) ?? 0 })),
  };
}
