import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { Calendar, Credentials } from './calendar.js';
import type { JsonObject } from './json.js';
import { type InputSchema, inputSchema, summaryOf } from './schemas.js';

/** One call of a tool. */
export interface Call {
  calendar: Calendar;
  credentials: Credentials;
  args: JsonObject;
  signal: AbortSignal;
}

/** A tool: the operation that describes it, and how it is run. */
export interface Tool {
  name: string;
  title: string;
  /** What the document does not say. */
  hint?: string;
  /** Path and method of the operation in the document. */
  operation?: readonly [path: string, method: 'get' | 'post' | 'put' | 'delete'];
  annotations: ToolAnnotations;
  run(call: Call): Promise<JsonObject>;
}

/** The arguments of a tool; undefined if the calendar has no such operation. */
export function inputSchemaOf({ operation }: Tool, document: JsonObject): InputSchema | undefined {
  if (operation) return inputSchema(document, ...operation);
  return { type: 'object', properties: {}, required: [], additionalProperties: false };
}

/** What a model reads about a tool. */
export const descriptionOf = ({ operation, hint }: Tool, document: JsonObject): string =>
  [operation && summaryOf(document, ...operation), hint].filter(Boolean).join(' ');
