import { registeredFlag, registeredText } from '../../calendar/registered-meta.js';
import type { RequestContext } from '../../http/request-context.js';
import { type MetaWriter, writeThumbnail } from '../../wordpress/posts/meta-writer.js';
import { ORGANIZER } from '../organizers/organizer-type.js';
import { VENUE } from '../venues/venue-type.js';
import { COST_KEYS } from './cost.js';
import type { CostRows } from './cost-write.js';
import type { EventDates } from './event-dates.js';
import type { EventFields } from './event-write.dto.js';

/** Values of `_EventAllDay` where it is not registered. */
const ALL_DAY = { set: 'yes', unset: 'no' };

/** The resolved ids of an event's links and image. */
export interface EventLinks {
  venues?: readonly number[];
  organizers?: readonly number[];
  /** 0 removes the featured image. */
  imageId?: number;
}

/** Writes the meta of an event in the recorded order; undefined fields stay as stored. */
export function writeEventMeta(
  meta: MetaWriter,
  fields: EventFields,
  links: EventLinks,
  dates: EventDates | undefined,
  { cleaner, settings }: Pick<RequestContext, 'cleaner' | 'settings'>,
  isNew: boolean,
): void {
  const { theme } = settings.render;
  const flag = (key: string, value: boolean | undefined) => {
    if (value !== undefined || isNew) meta.set(key, value ? '1' : '');
  };
  if (meta.get('_EventOrigin').length === 0) meta.add('_EventOrigin', 'events-calendar');
  flag('_EventShowMapLink', fields.show_map_link);
  flag('_EventShowMap', fields.show_map);
  if (links.venues) meta.setAll(VENUE.linkKey, links.venues.map(String));
  if (links.organizers) meta.setAll(ORGANIZER.linkKey, links.organizers.map(String));
  writeThumbnail(meta, links);
  if (dates) {
    // An update that sends `all_day: false` gets an explicit row.
    const saysAllDay =
      dates.allDay || meta.get('_EventAllDay').length > 0 || (!isNew && fields.all_day === false);
    if (saysAllDay) meta.set('_EventAllDay', registeredFlag(dates.allDay, theme, ALL_DAY));
    writeDates(meta, dates);
  }
  if (fields.cost)
    writeCost(meta, fields.cost, (text) => registeredText(cleaner.clean('meta', text), theme), isNew);
  if (fields.website !== undefined && !(isNew && fields.website === ''))
    meta.set('_EventURL', cleaner.clean('meta', fields.website));
  setFlagRow(meta, '_EventHideFromUpcoming', 'yes', fields.hide_from_listings);
  if (dates)
    meta
      .set('_EventTimezone', cleaner.clean('meta', dates.timezone))
      .set('_EventTimezoneAbbr', dates.abbreviation);
  setFlagRow(meta, '_tribe_featured', '1', fields.featured);
}

/** Writes the dates without their zone. */
export function writeDates(meta: MetaWriter, dates: EventDates): void {
  meta
    .set('_EventStartDate', dates.start)
    .set('_EventEndDate', dates.end)
    .set('_EventStartDateUTC', dates.startUtc)
    .set('_EventEndDateUTC', dates.endUtc);
  // All-day events have no duration row; an existing one must match the dates (W2).
  if (!dates.allDay || meta.get('_EventDuration').length > 0)
    meta.set('_EventDuration', String(dates.duration));
}

function writeCost(
  meta: MetaWriter,
  { costs, symbol, position }: CostRows,
  clean: (text: string) => string,
  isNew: boolean,
): void {
  if (symbol !== '' || !isNew) meta.set(COST_KEYS.symbol, clean(symbol));
  if (position !== '' || !isNew) meta.set(COST_KEYS.position, position);
  meta.setAll(COST_KEYS.cost, costs.map(clean));
}

/** Sets the row of a true flag and removes that of a false one. */
function setFlagRow(meta: MetaWriter, key: string, value: string, wanted: boolean | undefined): void {
  if (wanted === true) meta.set(key, value);
  if (wanted === false) meta.remove(key);
}
