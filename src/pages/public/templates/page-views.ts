import type { EventJson } from '../../../resources/events/event-json.js';
import type { OrganizerJson } from '../../../resources/organizers/organizer.response.js';
import type { VenueJson } from '../../../resources/venues/venue.response.js';
import type { Position } from '../../../resources/venues/venue-places.service.js';
import type { CalendarPage } from '../../calendar/calendar-html.js';
import type { PublicTexts } from '../../texts/public-texts.js';

/** The common input of public pages. */
export interface PublicPage extends CalendarPage {
  publicTexts: PublicTexts;
  /** Relative URLs. */
  stylesheets: readonly string[];
  /** Whether search engines may list the site's pages. */
  isIndexed: boolean;
  /** URL pattern of map tiles with `{z}`, `{x}` and `{y}`; undefined without a tile server. */
  mapTiles?: string;
}

/** An event with its neighbours in time. */
export interface EventView {
  event: EventJson;
  previous?: EventJson;
  next?: EventJson;
  /** The dates of a recurring event before and after this one, by id. */
  dates: ReadonlyMap<number, EventJson>;
  positions: ReadonlyMap<number, Position>;
}

/** A venue or organizer with its upcoming events. */
export interface VenueView {
  venue: VenueJson;
  position?: Position;
  events: readonly EventJson[];
}

export interface OrganizerView {
  organizer: OrganizerJson;
  events: readonly EventJson[];
}

/** What a page's `<head>` tells programs. */
export interface PageHead {
  title: string;
  description: string;
  /** Public URL of the page. */
  canonical?: string;
  /** Whether search engines should leave the page out. */
  isUnlisted?: boolean;
  image?: string;
  schema?: unknown;
  /** Relative URL of a calendar file. */
  calendarFile?: string;
}
