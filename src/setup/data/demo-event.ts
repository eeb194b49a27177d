import type { DEMO_ORGANIZERS } from './demo-organizers.js';
import type { DEMO_VENUES } from './demo-venues.js';

/** When an event of the demo calendar takes place, seen from the week in which the demo is made. */
export interface DemoDates {
  /** 0 is the week of the first start, -1 the one before. */
  week: number;
  /** 0 is Monday. */
  weekday: number;
  /** Clock time of the start; absent for an event of whole days. */
  time?: string;
  /** How long it lasts in minutes; in days when there is no time. */
  length: number;
}

/** An event of the demo calendar. */
export interface DemoEvent extends DemoDates {
  title: string;
  description: string;
  excerpt?: string;
  /** The site's zone when absent. */
  zone?: string;
  venue?: keyof typeof DEMO_VENUES;
  organizers?: readonly (keyof typeof DEMO_ORGANIZERS)[];
  categories: readonly string[];
  tags?: readonly string[];
  /** As somebody would type it; prices in another currency than the site's as a list, which keeps their symbol. */
  cost?: string | readonly string[];
  website?: string;
  featured?: boolean;
  sticky?: boolean;
  hidden?: boolean;
  status?: 'publish' | 'draft' | 'pending' | 'private';
  password?: string;
  /** Published only so many days after the first start. */
  publishedIn?: number;
}

/** An event that comes back; each time is an event of its own. */
export interface DemoSeries extends DemoEvent {
  /** How many times, and how many weeks apart. */
  times: number;
  every: number;
}
