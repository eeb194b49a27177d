import { type Html, html } from '../../../lib/html.js';
import type { VenueJson } from '../../../resources/venues/venue.response.js';
import type { Position } from '../../../resources/venues/venue-places.service.js';
import { OUT } from '../../calendar/event-html.js';
import { addressOf, mapLink, plain } from '../../calendar/event-texts.js';
import { fill } from '../../texts/fill.js';
import { mapPicture, positionLink } from './map-picture.js';
import type { PublicPage } from './page-views.js';

/** Address, map link and map of a venue; undefined if it has none of them. */
export function placeLines(
  page: PublicPage,
  venue: VenueJson,
  { position, hasLink }: { position?: Position; hasLink: boolean },
): Html | undefined {
  const address = addressOf(venue);
  const name = plain(venue.venue);
  const map =
    position && page.mapTiles ? mapPicture(page.mapTiles, position, mapName(page, name)) : undefined;
  const link = position
    ? positionLink(position)
    : address.length > 0
      ? mapLink(searched(name, address))
      : undefined;
  if (address.length === 0 && !map && (link === undefined || !hasLink)) return undefined;
  return html`${address.join(', ')}${
    hasLink &&
    link !== undefined &&
    html`${address.length > 0 && html`<br>`}<a href="${link}" ${OUT}>${page.language.texts.map}</a>`
  }${map}`;
}

const mapName = (page: PublicPage, place: string) => fill(page.publicTexts.mapOf, { place });

/** A city alone needs the venue's name to be found. */
const searched = (name: string, address: readonly string[]) =>
  address.length > 1 || name === '' ? address : [name, ...address];
