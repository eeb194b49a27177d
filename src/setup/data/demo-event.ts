import type { DEMO_ORGANIZERS } from './demo-organizers.js';
import type { DEMO_VENUES } from './demo-venues.js';

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

/** An event of the demo calendar. */
export interface DemoEvent extends DemoDates {
  title: string;
  description: string;
  excerpt?: string;
  /** By default the site's zone. */
  zone?: string;
  venue?: keyof typeof DEMO_VENUES;
  organizers?: readonly (keyof typeof DEMO_ORGANIZERS)[];
  categories: readonly string[];
  tags?: readonly string[];
  /** Input as a user would type it; prices in a foreign currency are a list, which keeps their symbol. */
  cost?: string | readonly string[];
  website?: string;
  featured?: boolean;
  sticky?: boolean;
  hidden?: boolean;
  status?: 'publish' | 'draft' | 'pending' | 'private';
  password?: string;
  /** Days after the first start until publication. */
  publishedIn?: number;
}

/** A repeated event; each repetition is an event of its own. */
export interface DemoSeries extends DemoEvent {
  /** Number of repetitions, and weeks between them. */
  times: number;
  every: number;
}
