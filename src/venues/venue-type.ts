import type { LinkedPostType } from '../linked-posts/linked-post-type.js';

/** Venues as linked posts. */
export const VENUE: LinkedPostType = {
  type: 'tribe_venue',
  word: 'venue',
  plural: 'venues',
  linkKey: '_EventVenueID',
  searchedMeta: [
    '_VenueAddress',
    '_VenueCity',
    '_VenueProvince',
    '_VenueState',
    '_VenueStateProvince',
    '_VenueZip',
    '_VenuePhone',
  ],
};
