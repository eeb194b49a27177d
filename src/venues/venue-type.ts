import type { LinkedPostType } from '../linked-posts/linked-post-type.js';
import { writeVenueMeta } from './venue-meta.js';

/** Venues as linked posts. */
export const VENUE: LinkedPostType = {
  type: 'tribe_venue',
  word: 'venue',
  plural: 'venues',
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
