import { defineResource } from '../base/resource.js';
import { linkedPostTexts, type LinkedPostType } from '../linked-posts/linked-post-type.js';
import { Venue } from './venue.entity.js';
import { toVenueResponse, VenueJson } from './venue.response.js';
import { writeVenueMeta } from './venue-meta.js';
import { VenueFields } from './venue-write.dto.js';

/** The venue resource. */
export const VENUE = defineResource({
  kind: 'post',
  type: 'tribe_venue',
  path: 'venues',
  corePath: 'tribe_venue',
  singular: 'venue',
  plural: 'venues',
  description: 'Places where events take place.',
  entity: Venue,
  capabilities: 'tribe_venues',
  linkBase: 'venue',
  linkKey: '_EventVenueID',
  originKey: '_VenueOrigin',
  writeMeta: writeVenueMeta,
  tracksSaves: true,
  body: VenueFields,
  json: VenueJson,
  toJson: toVenueResponse,
  textsToClean: (fields: VenueFields) => linkedPostTexts(VenueFields, fields),
  linkedIds: () => [],
}) satisfies LinkedPostType;
