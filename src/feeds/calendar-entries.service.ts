import { Injectable } from '@nestjs/common';
import type { CalendarSettings } from '../calendar/calendar-settings.js';
import { mapYielding } from '../common/event-loop.js';
import { Database } from '../database/database.js';
import type { CalendarEntry } from '../lib/ical/calendar-entry.js';
import { hostOf, toCalendarEntry, venuesOf } from '../resources/events/event-entry.js';
import type { EventJson } from '../resources/events/event-json.js';
import { eventStates } from '../resources/events/event-states.js';
import { eventUids } from '../resources/events/event-uids.js';
import { Occurrences } from '../resources/events/occurrences.service.js';
import { writtenCosts } from '../resources/events/written-costs.js';
import { POSITION_KEYS, positionOf } from '../resources/venues/venue-places.service.js';
import { metaOf } from '../wordpress/posts/post-rows.js';

/** Converts events to calendar entries with data from their JSON and meta. */
@Injectable()
export class CalendarEntries {
  constructor(
    private readonly database: Database,
    private readonly occurrences: Occurrences,
  ) {}

  /** The entries of all events with a date, in order. */
  async of(events: readonly EventJson[], settings: CalendarSettings): Promise<CalendarEntry[]> {
    const { links, zone, render } = settings;
    const ids = events.map(({ id }) => id);
    const postOf = await this.occurrences.postOf(ids, settings);
    const [positions, { cancelled }, uidOf, costOf] = await Promise.all([
      this.positions(events),
      eventStates(this.database, events, postOf),
      eventUids(this.database, ids, hostOf(links.home), postOf),
      writtenCosts(this.database, events, render.locale, postOf),
    ]);
    const isOccurrence = (id: number) => postOf(id) !== id;
    const context = { uidOf, costOf, zone, positions, cancelled, isOccurrence };
    const entries = await mapYielding(events, (event) => toCalendarEntry(event, context));
    return entries.filter((entry) => entry !== undefined);
  }

  /** Positions of unlocked venues only, which have an address in the JSON. */
  private async positions(events: readonly EventJson[]) {
    const open = events.flatMap(venuesOf).filter(({ show_map }) => typeof show_map === 'boolean');
    const ids = [...new Set(open.map(({ id }) => id))];
    const meta = await metaOf(this.database, 'post', ids, { keys: POSITION_KEYS });
    return new Map(
      [...meta].flatMap(([id, values]) => {
        const position = positionOf((key) => values.get(key)?.[0]);
        return position ? [[id, position] as const] : [];
      }),
    );
  }
}
