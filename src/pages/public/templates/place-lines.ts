import type { Html } from '../../../lib/html.js';
import type { VenueJson } from '../../../resources/venues/venue.response.js';
import type { Position } from '../../../resources/venues/venue-places.service.js';
import { addressAndMap, type OnMap } from '../../calendar/event-html.js';
import { plain } from '../../calendar/event-texts.js';
import { fill } from '../../texts/fill.js';
import { mapPicture } from './map-picture.js';
import type { PublicPage } from './page-views.js';

/** Address, map link and map of a venue; undefined if it has none of them. */
export function placeLines(page: PublicPage, venue: VenueJson, onMap: OnMap): Html | undefined {
  const map = onMap.position && page.mapTiles && pictureOf(page, venue, page.mapTiles, onMap.position);
  return addressAndMap(venue, onMap, page.language, map || undefined);
}

function pictureOf({ publicTexts }: PublicPage, venue: VenueJson, tiles: string, position: Position) {
  return mapPicture(tiles, position, fill(publicTexts.mapOf, { place: plain(venue.venue) }));
}
