import type { LinkedPostType } from '../linked-posts/linked-post-type.js';
import { defineResource } from '../resources/resource.js';
import { Venue } from './venue.entity.js';
import { toVenueResponse } from './venue.response.js';
import { VENUE_SCHEMAS } from './venue.schema.js';
import { VenueFields } from './venue-write.dto.js';
import { writeVenueMeta } from './venue-meta.js';

/** Venues as linked posts. */
export const VENUE = defineResource({
  kind: 'post',
  type: 'tribe_venue',
  path: 'venues',
  one: 'venue',
  many: 'venues',
  schema: 'Venue',
  schemas: VENUE_SCHEMAS,
  entity: Venue,
  capabilities: 'tribe_venues',
  linkBase: 'venue',
  linkKey: '_EventVenueID',
  originKey: '_VenueOrigin',
  searchedMeta: [
    '_VenueAddress',
    '_VenueCity',
    '_VenueProvince',
    '_VenueState',
    '_VenueStateProvince',
    '_VenueZip',
    '_VenuePhone',
  ],
  writeMeta: writeVenueMeta,
  body: VenueFields,
  toJson: toVenueResponse,
}) satisfies LinkedPostType;
