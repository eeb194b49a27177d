// The front door of the package: what it shows to others.
export { type AlmanacClient, type ClientOptions, createAlmanacClient } from './client.js';
export { applicationPassword, type Auth, type Credentials, nonce } from './auth.js';
export { AlmanacError } from './error.js';
export { dates, type EventDates, type TemporalLike, type ZonedDates, zonedDates } from './dates.js';
export type {
  CallOptions,
  EventResource,
  GetOptions,
  Page,
  PostResource,
  Resource,
  ScopeOptions,
  TermResource,
} from './resource.js';
export type {
  Category,
  Changes,
  Event,
  EventTerm,
  Image,
  New,
  Organizer,
  Query,
  Recurrence,
  Scope,
  Tag,
  Venue,
} from './records.js';
export { plain, venuesOf } from './texts.js';
export type { components, operations, paths } from './schema.js';
