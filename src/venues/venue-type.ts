import type { LinkedPostType } from '../linked-posts/linked-post-type.js';
import { type VenueJson, toVenueResponse } from './venue.response.js';
import { Venue } from './venue.entity.js';
import { writeVenueMeta } from './venue-meta.js';

/** Venues as linked posts. */
export const VENUE: LinkedPostType<VenueJson> = {
  kind: 'post',
  capabilities: 'tribe_venues',
  path: 'venues',
  type: 'tribe_venue',
  one: 'venue',
  many: 'venues',
  schema: 'Venue',
  entity: Venue,
  linkBase: 'venue',
  toJson: toVenueResponse,
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
};
