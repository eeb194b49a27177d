import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type CastingContext, parse } from 'csv-parse/sync';
import type { LinkedPostFields } from '../resources/linked-posts/linked-post-type.js';

/** The dates of a demo event relative to the week of the first start. */
export interface DemoDates {
  /** 0 is the week of the first start, -1 the one before. */
  week: number;
  /** 0 is Monday. */
  weekday: number;
  /** Time of the start; absent for an all-day event. */
  time?: string;
  /** Duration in minutes, or in days for an all-day event. */
  length: number;
}

/** An event of the demo calendar; each repetition is an event of its own. */
export interface DemoEvent extends DemoDates {
  /** Number of repetitions, and weeks between them. */
  times?: number;
  every?: number;
  title: string;
  description: string;
  excerpt?: string;
  /** By default the site's zone. */
  zone?: string;
  venue?: string;
  organizers?: string[];
  categories: string[];
  tags?: string[];
  /** Input as a user would type it; prices in a foreign currency are a list, which keeps their symbol. */
  cost?: string | string[];
  website?: string;
  featured?: true;
  sticky?: true;
  hidden?: true;
  status?: 'publish' | 'draft' | 'pending' | 'private';
  password?: string;
  /** Days after the first start until publication. */
  publishedIn?: number;
  /** Name of a picture. */
  image?: string;
}

/** A category or tag; tags without a description are created with the events. */
interface DemoTerm {
  taxonomy: 'category' | 'tag';
  name: string;
  /** Name of the parent, in a row before. */
  parent?: string;
  description?: string;
}

const NUMBERS = ['week', 'weekday', 'length', 'times', 'every', 'publishedIn'];
const LISTS = ['organizers', 'categories', 'tags'];
const FLAGS = ['featured', 'sticky', 'hidden'];

/** The events in the order that decides ids and authors. */
export const demoEvents = (): DemoEvent[] => table('events');

export const demoTerms = (): DemoTerm[] => table('terms');

/** The venues of the demo with their positions in degrees; `key` is their name in events. */
export const demoVenues = (): (LinkedPostFields & { key: string; latitude: string; longitude: string })[] =>
  table('venues');

export const demoOrganizers = (): (LinkedPostFields & { key: string })[] => table('organizers');

/** The pictures of events, files of 1200 × 675 pixels drawn by scripts/demo-pictures.mjs. */
export const demoPictures = (): { name: string; alt: string }[] => table('pictures');

/** The file of a picture. */
export const pictureFile = (name: string): Promise<Buffer> =>
  readFile(new URL(`data/pictures/${name}.webp`, import.meta.url));

function table<Row>(name: string): Row[] {
  return parse(readFileSync(new URL(`data/demo-${name}.csv`, import.meta.url)), { columns: true, cast });
}

function cast(cell: string, { column }: CastingContext): unknown {
  if (cell === '') return undefined;
  if (NUMBERS.includes(`${column}`)) return Number(cell);
  if (FLAGS.includes(`${column}`)) return true;
  const isList = LISTS.includes(`${column}`) || (column === 'cost' && cell.includes('; '));
  return isList ? cell.split('; ') : cell;
}
