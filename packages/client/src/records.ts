import type { components, paths } from './schema.js';

type Schemas = components['schemas'];

/** An event with its venue, organizers and terms. */
export type Event = Schemas['Event'];
/** A place. */
export type Venue = Schemas['Venue'];
/** Who is behind an event. */
export type Organizer = Schemas['Organizer'];
/** A category of events, which may have one above it. */
export type Category = Schemas['Term'];
/** A tag of events. */
export type Tag = Schemas['Term'];
/** A term as events show it. */
export type EventTerm = Schemas['EventTerm'];
/** A featured image. */
export type Image = Schemas['Image'];

/** How an event on several dates recurs; lists and single reads have it with `recurrence: true`. */
export type Recurrence = Schemas['Recurrence'];
/** Which dates a write by the id of one of them concerns. */
export type Scope = 'this' | 'following' | 'all';

type Json<Body> = Body extends { content: { 'application/json': infer Fields } } ? Fields : never;
type Route<Paths, Path extends string> = Path extends keyof Paths ? Paths[Path] : never;
type Body<Operation> = Operation extends { requestBody?: infer Sent } ? Json<NonNullable<Sent>> : never;
/** They change the shape of answers: only `raw` takes them. */
type Shaping = '_fields' | '_envelope' | '_pretty' | '_format';

/** A record of a kind, in the paths of a server's own /openapi.json: `RecordOf<'series', paths>`. */
export type RecordOf<Kind extends string, Paths = paths> =
  Route<Paths, `/${Kind}`> extends { post: { responses: { 201: infer Created } } } ? Json<Created> : never;

/** What a list can be narrowed by, such as `Query<'events'>`. */
export type Query<Kind extends string, Paths = paths> =
  Route<Paths, `/${Kind}`> extends { get: { parameters: { query?: infer Sent } } }
    ? Omit<NonNullable<Sent>, Shaping>
    : never;
/** The fields of a new record, such as `New<'events'>`. */
export type New<Kind extends string, Paths = paths> =
  Route<Paths, `/${Kind}`> extends { post: infer Create } ? Body<Create> : never;
/** The fields of an update: what is left out stays as it is. */
export type Changes<Kind extends string, Paths = paths> =
  Route<Paths, `/${Kind}/{id}`> extends { put: infer Update } ? Body<Update> : never;
