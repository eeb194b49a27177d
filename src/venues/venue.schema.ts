import { maskedFlag, maskedName, record, sparse, structuredData, texts } from '../resources/json-schema.js';
import { ALWAYS_THERE } from '../linked-posts/linked-post.schema.js';
import { VENUE_META } from './venue.response.js';

/** Schemas of venues for `/openapi.json`. */
export const VENUE_SCHEMAS = {
  Venue: sparse(
    {
      ...record,
      venue: maskedName,
      ...texts(...Object.keys(VENUE_META)),
      show_map: maskedFlag,
      show_map_link: maskedFlag,
      json_ld: structuredData,
    },
    [...ALWAYS_THERE, 'show_map', 'show_map_link'],
  ),
};
