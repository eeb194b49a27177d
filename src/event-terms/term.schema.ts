import { address, integer, none, object, text } from '../resources/json-schema.js';

/** Where a term is found, and the one above it. */
export const termUrls = object({ self: address, collection: address, up: address }, ['up']);

/** Schemas of terms for `/openapi.json`. */
export const TERM_SCHEMAS = {
  Term: object(
    {
      id: integer,
      count: integer,
      description: text,
      name: text,
      slug: text,
      taxonomy: text,
      parent: { ...integer, description: 'Categories only; 0 at the top.' },
      meta: none,
      url: address,
      urls: termUrls,
      _links: { type: 'object', description: "Links into WordPress's own interface; not in lists." },
    },
    ['parent', '_links'],
  ),
};
