import { type JsonObject, toList, toObject } from './json.js';

/** JSON Schema of a tool's arguments. */
export interface InputSchema {
  type: 'object';
  properties: Record<string, JsonObject>;
  required: string[];
  additionalProperties: false;
  [name: string]: unknown;
}

/** The shape of responses, and what no assistant needs. */
const HIDDEN_PARAMETERS = new Set([
  '_embed',
  '_envelope',
  '_fields',
  '_format',
  '_pretty',
  'cursor',
  'password',
  'post_parent',
  'ticketed',
]);
const HIDDEN_FIELDS = new Set(['author', 'date_utc', 'password']);

const NO_ARGUMENTS: InputSchema = {
  type: 'object',
  properties: {},
  required: [],
  additionalProperties: false,
};

/** The arguments of an operation of an OpenAPI document: its parameters, then the fields of its body. */
export function inputSchema(document: JsonObject, path: string, method: string): InputSchema | undefined {
  const operation = toObject(toObject(toObject(document['paths'])[path])[method]);
  if (operation['operationId'] === undefined) return undefined;
  const properties: InputSchema['properties'] = {};
  const required: string[] = [];
  for (const listed of toList(operation['parameters'])) {
    const parameter = resolved(document, listed);
    const name = String(parameter['name']);
    if (HIDDEN_PARAMETERS.has(name) || !['path', 'query'].includes(String(parameter['in']))) continue;
    const { description } = parameter;
    properties[name] = {
      ...simplified(document, parameter['schema']),
      ...(description ? { description } : {}),
    };
    if (parameter['required'] === true) required.push(name);
  }
  const json = toObject(toObject(toObject(operation['requestBody'])['content'])['application/json']);
  const body = simplified(document, json['schema']);
  return {
    ...NO_ARGUMENTS,
    properties: { ...properties, ...(toObject(body['properties']) as InputSchema['properties']) },
    required: [...required, ...toList(body['required']).map(String)],
  };
}

/** The first sentences that the document says about an operation. */
export function summaryOf(document: JsonObject, path: string, method: string): string {
  const { summary, description } = toObject(toObject(toObject(document['paths'])[path])[method]);
  return [summary, description]
    .filter((text): text is string => typeof text === 'string')
    .map((text) => text.replace(/\.?$/, '.'))
    .join(' ');
}

/** How deep schemas of bodies nest: an event, a list of its venues, a venue, its fields. */
const MAX_DEPTH = 10;

/** A schema without references, which not every client reads, and without fields that are hidden. */
function simplified(document: JsonObject, value: unknown, depth = 0): JsonObject {
  const { not: _, anyOf, ...schema } = resolved(document, value);
  if (depth > MAX_DEPTH) return {};
  const below = (one: unknown) => simplified(document, one, depth + 1);
  const choices = anyOf === undefined || schema['type'] !== undefined ? [] : listOnly(toList(anyOf));
  const [only] = choices;
  if (choices.length === 1 && only !== undefined) return { ...below(only), ...schema };
  const simple: JsonObject = { ...schema };
  if (choices.length > 1) simple['anyOf'] = choices.map(below);
  if (schema['items'] !== undefined) simple['items'] = below(schema['items']);
  if (schema['properties'] !== undefined) {
    const fields = Object.entries(toObject(schema['properties'])).filter(
      ([name]) => !HIDDEN_FIELDS.has(name),
    );
    simple['properties'] = Object.fromEntries(fields.map(([name, field]) => [name, below(field)]));
  }
  return simple;
}

/** The interface takes one value in place of a list: of such a choice the list is enough. */
function listOnly(choices: unknown[]): unknown[] {
  const list = choices.find((one) => toObject(one)['type'] === 'array');
  const items = JSON.stringify(toObject(list)['items']);
  const others = choices.filter((one) => one !== list);
  return list !== undefined && others.every((one) => JSON.stringify(one) === items) ? [list] : choices;
}

/** The schema or parameter that a reference within the document names. */
function resolved(document: JsonObject, value: unknown): JsonObject {
  const { $ref: reference, ...rest } = toObject(value);
  if (typeof reference !== 'string') return rest;
  const names = reference.replace(/^#\//, '').split('/');
  return { ...names.reduce((found, name) => toObject(found[name]), document), ...rest };
}
