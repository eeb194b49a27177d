import {
  address,
  integer,
  list,
  map,
  named,
  no,
  none,
  object,
  sparse,
  text,
} from '../resources/json-schema.js';

/** Schemas for `/openapi.json` that belong to no resource. */
export const SCHEMAS = {
  ImageSize: sparse({ width: integer, height: integer, 'mime-type': text, filesize: integer, url: text }, [
    'url',
  ]),
  Image: sparse(
    {
      url: { anyOf: [address, no] },
      id: integer,
      extension: text,
      width: integer,
      height: integer,
      filesize: integer,
      original_image: text,
      sizes: map(named('ImageSize')),
    },
    ['id'],
  ),
  Error: {
    ...object(
      {
        code: { ...text, examples: ['rest_invalid_param'] },
        message: text,
        data: {
          ...object(
            {
              status: { ...integer, description: 'The HTTP status again.' },
              params: {
                description: 'Missing parameters by name, or what is wrong with each.',
                anyOf: [list(text), map(text)],
              },
              details: {
                description: 'Failures with a code of their own; an empty list when there are none.',
                anyOf: [none, map({ type: 'object' })],
              },
            },
            ['params', 'details'],
          ),
        },
      },
      ['data'],
    ),
  },
};

/** A page of a list. */
export function listSchema(member: string, schema: string) {
  return object(
    {
      [member]: list(named(schema)),
      rest_url: address,
      next_rest_url: address,
      previous_rest_url: address,
      total: integer,
      total_pages: integer,
    },
    ['next_rest_url', 'previous_rest_url'],
  );
}
