/** A text. */
export const text = { type: 'string' };
/** A whole number. */
export const integer = { type: 'integer' };
/** Blanked to null in a record that is locked by a password. */
export const maskedFlag = {
  type: ['boolean', 'null'],
  description: 'null while a password locks the record.',
};
/** An absolute address. */
export const address = { type: 'string', format: 'uri' };
/** A date and time as stored. */
export const wallClock = {
  type: 'string',
  description: '`YYYY-MM-DD HH:MM:SS`.',
  examples: ['2026-11-21 10:00:00'],
};
/** PHP's false, where there is nothing. */
export const no = { const: false };
/** PHP's empty list, where there is nothing. */
export const none = { type: 'array', maxItems: 0 };

/** A list of what the schema says. */
export const list = (items: unknown) => ({ type: 'array', items });
/** An object whose values are what the schema says. */
export const map = (values: unknown) => ({ type: 'object', additionalProperties: values });
/** What a schema of the document says. */
export const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });
/** Members that are texts. */
export const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, text]));
/** What the schema says, or null. */
export const nullable = ({ type, ...rest }: { type: string }) => ({ type: [type, 'null'], ...rest });

/** An object whose members are all there, but for those named as optional. */
export function object(properties: Record<string, unknown>, optional: readonly string[] = []) {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  };
}

/** An object of which only these members are always there: empty ones are left out. */
export function sparse(properties: Record<string, unknown>, always: readonly string[]) {
  return { type: 'object', properties, required: always };
}

/** Members that the records of all post types share. */
export const record = {
  id: integer,
  global_id: { ...text, description: "The site's host and path with the id." },
  global_id_lineage: list(text),
  author: { type: 'string', pattern: '^[0-9]+$', description: 'Id of the author, as text.' },
  status: { ...text, examples: ['publish'] },
  date: wallClock,
  date_utc: wallClock,
  modified: wallClock,
  modified_utc: wallClock,
  url: text,
  description: { ...text, description: 'HTML.' },
  excerpt: { ...text, description: 'HTML.' },
  slug: text,
  image: { anyOf: [named('Image'), no] },
};

/** schema.org data. */
export const structuredData = { type: 'object', description: 'schema.org data; in single reads only.' };

/** A name that a password hides becomes an empty list, as recorded. */
export const maskedName = { anyOf: [text, none] };
