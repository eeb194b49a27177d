import { splitOnce } from '../../lib/wordpress-text/formatting/uri-parts.js';
import { truncate } from '../../lib/truncate.js';

/** What both servers are asked: always a GET. */
export interface Ask {
  /** Below the address of the interface, such as `/events?page=2`. */
  path: string;
  /** The list that this is a page of, where all of its pages are walked: its records are then compared over all pages. */
  list?: string;
}

/** What came back. */
export interface Answer {
  /** 0 where nothing came back that could be read. */
  status: number;
  headers: Headers;
  text: string;
  /** Undefined where the text is no JSON. */
  json: unknown;
  /** Why nothing came back that could be read. */
  failure?: string;
}

/** How many records a list shows at most, whatever it is asked for; of a page with more none is looked at. */
export const MAX_RECORDS = 100;

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** A record as answers show it. */
export type JsonRecord = Json & { id: number | string };

/** Whether a value of an answer is an object, not a list. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value of an answer is a record: an object with an id, which is remembered. */
export function isRecord(value: unknown): value is JsonRecord {
  if (!isObject(value)) return false;
  const { id } = value;
  return typeof id === 'number' || (typeof id === 'string' && id.length <= 100);
}

/** What one record of each list is called, by the member that lists have their records in. */
export const LISTS: Readonly<Record<string, string>> = {
  events: 'event',
  venues: 'venue',
  organizers: 'organizer',
  categories: 'category',
  tags: 'tag',
};

/** The path of a request without its query, and the query. */
export function partsOf(path: string): { route: string; query: URLSearchParams } {
  const [route, query] = splitOnce(path, '?');
  return { route: route.replace(/\/$/, ''), query: new URLSearchParams(query) };
}

/** What a request asks for, as reports call it: `events list`, `event`, `event by slug`, `index`, `document`, `other`. */
export function kindOf(path: string): string {
  const { route } = partsOf(path);
  if (route === '') return 'index';
  if (route === '/doc') return 'document';
  const [, list = '', one] = /^\/(\w+)(\/\d+|\/by-slug\/[^/]+)?$/.exec(route) ?? [];
  const record = Object.hasOwn(LISTS, list) ? LISTS[list] : undefined;
  if (record === undefined) return 'other';
  if (one === undefined) return `${list} list`;
  return one.startsWith('/by-slug/') ? `${record} by slug` : record;
}

/** The member that a list has its records in, by its path; undefined for what is no list. */
export function listMember(path: string): string | undefined {
  const [member, rest] = kindOf(path).split(' ');
  return rest === 'list' ? member : undefined;
}

/** A text with the passwords and tokens of its addresses left out. */
export function withoutSecrets(text: string): string {
  return text.replace(/([?&;](?:password|post_password|_wpnonce|token|key|code)=)[^&\s"]+/gi, '$1…');
}

/** A text from elsewhere as terminals may show it: one line without control characters, not long. */
export function oneLine(text: string): string {
  return truncate(text.replace(/\p{C}/gu, '?'), 200);
}
