import { maskedName, record, sparse, structuredData, texts } from '../resources/json-schema.js';
import { ALWAYS_THERE } from '../linked-posts/linked-post.schema.js';

/** Schemas of organizers for `/openapi.json`. */
export const ORGANIZER_SCHEMAS = {
  Organizer: sparse(
    { ...record, organizer: maskedName, ...texts('phone', 'website', 'email'), json_ld: structuredData },
    ALWAYS_THERE,
  ),
};
