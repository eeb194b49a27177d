import { truncate } from '../../lib/truncate.js';
import { splitOnce } from '../../lib/wordpress-text/formatting/uri-parts.js';

/** A request to both servers, always GET. */
export interface ComparedRequest {
  /** Path below the interface's URL, such as `/events?page=2`. */
  path: string;
  /** The fully walked list that this is a page of; its records are compared across all pages. */
  list?: string;
}

export interface ParsedResponse {
  /** 0 if no response could be read. */
  status: number;
  headers: Headers;
  text: string;
  /** Undefined if the body is not JSON. */
  json: unknown;
  /** Why no response could be read. */
  failure?: string;
}

/** Maximum records per list page; larger pages are not compared. */
export const MAX_LIST_LENGTH = 100;

export type Json = Readonly<Record<string, unknown>>;

export type JsonRecord = Json & { id: number | string };

/** Whether a value is an object other than a list. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a record, that is an object with an id. */
export function isRecord(value: unknown): value is JsonRecord {
  if (!isObject(value)) return false;
  const { id } = value;
  return typeof id === 'number' || (typeof id === 'string' && id.length <= 100);
}

/** Singular names by the lists' members. */
export const LISTS: Readonly<Record<string, string>> = {
  events: 'event',
  venues: 'venue',
  organizers: 'organizer',
  categories: 'category',
  tags: 'tag',
};

export function partsOf(path: string): { route: string; query: URLSearchParams } {
  const [route, query] = splitOnce(path, '?');
  return { route: route.replace(/\/$/, ''), query: new URLSearchParams(query) };
}

/** The kind of a request in reports: `events list`, `event`, `event by slug`, `index`, `document`, `other`. */
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

/** The member of a list's records by its path; undefined for other paths. */
export function listMember(path: string): string | undefined {
  const [member, rest] = kindOf(path).split(' ');
  return rest === 'list' ? member : undefined;
}

/** Removes passwords and tokens from the URLs in a text. */
export function withoutSecrets(text: string): string {
  return text.replace(/([?&;](?:password|post_password|_wpnonce|token|key|code)=)[^&\s"]+/gi, '$1…');
}

/** Makes a foreign text safe for terminals: one short line without control characters. */
export function oneLine(text: string): string {
  return truncate(text.replace(/\p{C}/gu, '?'), 200);
}
