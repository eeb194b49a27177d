import { ORGANIZER } from '../organizers/organizer-type.js';
import { VENUE } from '../venues/venue-type.js';
import type { TextCleaner } from '../wordpress/posts/clean-texts.js';
import { writeThumbnail } from '../wordpress/posts/linked-ids.js';
import type { MetaWriter } from '../wordpress/posts/meta-writer.js';
import { COST_KEYS } from './cost.js';
import type { CostRows } from './cost-write.js';
import type { EventDates } from './event-dates.js';
import type { EventFields } from './event-write.dto.js';

/** Ids that the fields of an event stand for, once its linked records are found or made. */
export interface EventLinks {
  venues?: readonly number[];
  organizers?: readonly number[];
  /** 0 removes the featured image. */
  imageId?: number;
}

/** Writes the meta of an event in the recorded order; undefined leaves what is stored. */
export function writeEventMeta(
  meta: MetaWriter,
  fields: EventFields,
  links: EventLinks,
  dates: EventDates | undefined,
  cleaner: TextCleaner,
  isNew: boolean,
): void {
  const flag = (key: string, value: boolean | undefined) => {
    if (value !== undefined || isNew) meta.set(key, value ? '1' : '');
  };
  if (meta.get('_EventOrigin').length === 0) meta.add('_EventOrigin', 'events-calendar');
  flag('_EventShowMapLink', fields.show_map_link);
  flag('_EventShowMap', fields.show_map);
  if (links.venues) meta.setAll(VENUE.linkKey, links.venues.map(String));
  if (links.organizers) meta.setAll(ORGANIZER.linkKey, links.organizers.map(String));
  writeThumbnail(meta, links);
  if (dates) writeDates(meta, dates);
  if (fields.cost) writeCost(meta, fields.cost, cleaner, isNew);
  if (fields.website !== undefined && !(isNew && fields.website === ''))
    meta.set('_EventURL', cleaner.clean('meta', fields.website));
  mark(meta, '_EventHideFromUpcoming', 'yes', fields.hide_from_listings);
  if (dates)
    meta
      .set('_EventTimezone', cleaner.clean('meta', dates.timezone))
      .set('_EventTimezoneAbbr', dates.abbreviation);
  mark(meta, '_tribe_featured', '1', fields.featured);
}

function writeDates(meta: MetaWriter, dates: EventDates): void {
  if (dates.allDay) meta.set('_EventAllDay', 'yes');
  else if (meta.get('_EventAllDay').length > 0) meta.set('_EventAllDay', 'no');
  meta
    .set('_EventStartDate', dates.start)
    .set('_EventEndDate', dates.end)
    .set('_EventStartDateUTC', dates.startUtc)
    .set('_EventEndDateUTC', dates.endUtc);
  // All-day events have no duration of their own; one that is there must not contradict the dates (W2).
  if (!dates.allDay || meta.get('_EventDuration').length > 0)
    meta.set('_EventDuration', String(dates.duration));
}

function writeCost(
  meta: MetaWriter,
  { costs, symbol, position }: CostRows,
  cleaner: TextCleaner,
  isNew: boolean,
): void {
  if (symbol !== '' || !isNew) meta.set(COST_KEYS.symbol, cleaner.clean('meta', symbol));
  if (position !== '' || !isNew) meta.set(COST_KEYS.position, position);
  meta.setAll(
    COST_KEYS.cost,
    costs.map((cost) => cleaner.clean('meta', cost)),
  );
}

/** A flag that is a row when it is set and no row when it is not. */
function mark(meta: MetaWriter, key: string, value: string, wanted: boolean | undefined): void {
  if (wanted === true) meta.set(key, value);
  if (wanted === false) meta.remove(key);
}
