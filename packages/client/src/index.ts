// The front door of the package: what it shows to others.

export { etagOf } from './ask.js';
export {
  type Auth,
  apiKey,
  applicationPassword,
  bearer,
  type Credentials,
  nonce,
  type Token,
} from './auth.js';
export type { BatchOptions, BatchResponse, BatchResult, BatchWrite } from './batch.js';
export { type AlmanacClient, type ClientOptions, createAlmanacClient } from './client.js';
export { dates, type EventDates, type TemporalLike, type ZonedDates, zonedDates } from './dates.js';
export { AlmanacError } from './error.js';
export type {
  Category,
  Changes,
  Event,
  EventTerm,
  Image,
  New,
  Organizer,
  Query,
  RecordOf,
  Recurrence,
  Scope,
  Tag,
  Venue,
} from './records.js';
export {
  type CallOptions,
  type CreateOptions,
  type EventResource,
  type GetOptions,
  type Page,
  type PostResource,
  type Resource,
  type ScopeOptions,
  type TermResource,
  type WriteOptions,
} from './resource.js';
export type { components, operations, paths } from './schema.js';
export type { SyncBatch, SyncChange, SyncKind, SyncOptions } from './sync.js';
export { plain, venuesOf } from './texts.js';
