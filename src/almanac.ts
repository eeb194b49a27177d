/**
 * The public API of the package for plugins and custom builds. Everything else is internal and may change in any
 * version; nothing in src imports from here.
 */

// Starting a server from a custom main.ts.
export { createServer, type ServerOptions } from './app/create-server.js';
export { Access } from './auth/access.js';
export {
  AuthStrategy,
  type LoginRejection,
  type LoginResult,
  type LoginScheme,
  rejectLogin,
  type SiteUserLogin,
  siteUser,
  type VirtualUserLogin,
  virtualUser,
} from './auth/auth-strategy.js';
// Logins: strategies of plugins.
export type { LoginRequest } from './auth/login-request.js';
export { type Attempt, RateLimiter } from './auth/rate-limiter.js';
export { IssuerUnavailable } from './auth/strategies/oidc/issuer-keys.js';
export { JwtStrategy } from './auth/strategies/oidc/jwt-strategy.js';
export {
  InvalidToken,
  type JwtClaims,
  JwtVerifier,
  type JwtVerifierOptions,
} from './auth/strategies/oidc/jwt-verifier.js';
export { combine, Expiring, type Unwrap } from './cache/expiring.js';
export type { CalendarSettings } from './calendar/calendar-settings.js';
export { type MigrateOptions, migrate } from './cli/migrate.js';
export { Clock } from './common/clock.js';
export {
  conflict,
  type ErrorKind,
  forbidden,
  invalidParameter,
  invalidParameters,
  notFound,
  type ParameterFailure,
  RestException,
} from './common/errors/rest-exception.js';
// Hooks: filters and actions of every resource.
export {
  type Action,
  type ActionHook,
  type Filter,
  type FilterHook,
  type HookPriority,
  Hooks,
} from './common/hooks/hooks.js';
export { Environment, EnvironmentError, OWN_NAMESPACE, readEnvironment } from './config/env.js';
export { Database } from './database/database.js';
export { StartError } from './database/start-error.js';
export { type Transaction, Transactions } from './database/transactions.js';
// Requests: declaring and checking parameters, contexts, responses.
export { AllowBatch } from './http/allow-batch.decorator.js';
export { HttpModule } from './http/http.module.js';
export {
  type CheckContext,
  getContext,
  type TransformParams,
} from './http/params/check-context.js';
export {
  ArePositiveInts,
  ArePostsOf,
  IsDateText,
  IsNonEmptyText,
  IsPositiveInt,
  IsPostOf,
  IsSearchText,
  IsTermOf,
} from './http/params/checks.js';
export { PageArg, PerPageArg, StatusesArg, UnlockArgs } from './http/params/list-args.js';
export { type CheckFunction, makeCheck } from './http/params/make-check.js';
export { Parameters } from './http/params/parameters.js';
export { PathId } from './http/params/path-id.js';
export { type ArgOptions, BodyExample, RequiredArgs, RestArg } from './http/params/rest-arg.js';
export { Context, type RequestContext, toWriteContext, type WriteContext } from './http/request-context.js';
export { RequestContexts } from './http/request-contexts.service.js';
export type { RequestTime } from './http/request-time.js';
export { Cacheable } from './http/response-cache/cacheable.decorator.js';
export type { RestBase } from './http/rest-request.js';
export { RestResponse } from './http/rest-response.js';
export { ReturnsSecret } from './http/returns-secret.decorator.js';
export { Update } from './http/update.decorator.js';
// Pages for people: their templates.
export { type Html, html } from './lib/html.js';
// Dates and texts.
export { parseZonedDate, type ZonedDate } from './lib/wordpress-text/dates/zoned-date.js';
export type { RenderSite } from './lib/wordpress-text/formatting/render-context.js';
export type { ImageObject } from './lib/wordpress-text/image-object.js';
export { layout } from './pages/public/templates/layout.js';
export { PageTemplates } from './pages/public/templates/page-templates.js';
export type {
  EventView,
  OrganizerView,
  PageHead,
  PublicPage,
  VenueView,
} from './pages/public/templates/page-views.js';
// Plugins: migrations and replaceable parts.
export type { MigrationClass, Plugin, Replacement } from './plugins/plugin.js';
export {
  type DeclaredField,
  type DeclaredFields,
  type DeclaredMember,
  type DeclaredValue,
  defineFields,
  type FieldsJson,
  type FieldsOf,
  type FieldType,
  ListOf,
} from './resources/base/declared-field.js';
export { definePosts, type PlainPosts } from './resources/base/define-posts.js';
export type { FieldDescription, ValueDescription } from './resources/base/field-description.js';
export { FieldRegistry } from './resources/base/field-registry.js';
export type { StoreImage } from './resources/base/images.js';
export type { ListQuery } from './resources/base/list-query.js';
// Defining resources.
export { Member, type MemberOptions, type MemberSchema, withMembers } from './resources/base/member.js';
export { type Page, type PageInfo, withPageHeaders } from './resources/base/page.js';
export { PlainPostFields, PlainPostListQuery, PlainPostQuery } from './resources/base/plain-post.dto.js';
export { PlainPostJson } from './resources/base/plain-post.response.js';
export { PlainPostsService } from './resources/base/plain-posts.service.js';
export { leadingMembers, PostJson, textMembers } from './resources/base/post-json.js';
export { PostResourceService } from './resources/base/post-resource.service.js';
export { PostResourceDeps } from './resources/base/post-resource-deps.js';
export type { CreateResult, PostInput, RecordWriter, WriteArgs } from './resources/base/record-writer.js';
export {
  defineResource,
  type Grant,
  type Grants,
  type LinkedRecord,
  type LoadedPost,
  type PostResource,
  type RecordLoader,
  type RecordSource,
  type Relation,
  type Relations,
  type Resource,
  type TermResource,
  type TermType,
} from './resources/base/resource.js';
export { ResourceModule } from './resources/base/resource.module.js';
export {
  type FailedWrite,
  postHooks,
  type ResourceHooks,
  termHooks,
  type WithinTransaction,
  type WrittenRecord,
} from './resources/base/resource-hooks.js';
export type { ResponseContext } from './resources/base/response-context.js';
export { CategoriesModule } from './resources/categories/categories.module.js';
export { CategoriesService } from './resources/categories/categories.service.js';
export { CATEGORY } from './resources/categories/category-type.js';
export { GetEventQuery, ListEventsQuery } from './resources/events/event.dto.js';
export type { LoadedEvent } from './resources/events/event.response.js';
export { plainText } from './resources/events/event-entry.js';
export type { EventJson } from './resources/events/event-json.js';
export { EVENT } from './resources/events/event-type.js';
export type { EventTermValue, EventValues } from './resources/events/event-values.js';
export { CreateEventDto, type EventFields, UpdateEventDto } from './resources/events/event-write.dto.js';
// The calendar's resources: modules and services.
export { EventsModule } from './resources/events/events.module.js';
export { EventsService } from './resources/events/events.service.js';
export type { LinkedPostFields } from './resources/linked-posts/linked-post-type.js';
export type { LinkedPostInput } from './resources/linked-posts/linked-posts-arg.js';
export type { OrganizerJson } from './resources/organizers/organizer.response.js';
export { ORGANIZER } from './resources/organizers/organizer-type.js';
export type { OrganizerFields } from './resources/organizers/organizer-write.dto.js';
export { OrganizersModule } from './resources/organizers/organizers.module.js';
export { OrganizersService } from './resources/organizers/organizers.service.js';
export { TAG } from './resources/tags/tag-type.js';
export { TagsModule } from './resources/tags/tags.module.js';
export { TagsService } from './resources/tags/tags.service.js';
export { EventTermsModule } from './resources/terms/event-terms.module.js';
export { EventTermsService } from './resources/terms/event-terms.service.js';
export {
  GetTermQuery,
  ListTermsQuery,
  TermIdsArg,
  TermView,
  WriteTermDto,
} from './resources/terms/term.dto.js';
export { EventTermJson, TermJson } from './resources/terms/term.response.js';
export { TermDeps } from './resources/terms/term-deps.js';
export type { VenueJson } from './resources/venues/venue.response.js';
export { VENUE } from './resources/venues/venue-type.js';
export type { VenueFields } from './resources/venues/venue-write.dto.js';
export { VenuesModule } from './resources/venues/venues.module.js';
export { VenuesService } from './resources/venues/venues.service.js';
// Jobs that one process of all runs.
export { Job, type JobOptions, type JobRun } from './scheduler/jobs/job.decorator.js';
export { JobsModule } from './scheduler/jobs/jobs.module.js';
export { type FailedJob, Jobs } from './scheduler/jobs/jobs.service.js';
export {
  type FileToStore,
  freeStem,
  ImageStore,
  type StoredFiles,
  type UploadName,
} from './wordpress/media/image-store.js';
export type { MediaSettings } from './wordpress/media/media-settings.js';
export { ImageRejected } from './wordpress/media/safe-fetch.js';
export { SettingsService } from './wordpress/options/settings.service.js';
export type { SiteSettings } from './wordpress/options/site-settings.js';
export type { LinkSettings } from './wordpress/posts/permalink.js';
export { Post } from './wordpress/posts/post.entity.js';
export { PostQuery } from './wordpress/posts/post-query.js';
export { firstMeta, linkedIds, type PostRecord, type PostRow } from './wordpress/posts/post-record.js';
export type { WritableStatus } from './wordpress/posts/post-statuses.js';
export { type PostIdentity, PostsService } from './wordpress/posts/posts.service.js';
export {
  type PostTexts,
  type RenderedPosts,
  Renderer,
  type TextsOfPosts,
} from './wordpress/rendering/renderer.service.js';
export type { TermItem } from './wordpress/terms/named-terms.js';
export { TermTaxonomy } from './wordpress/terms/term.entity.js';
export type { TermRecord } from './wordpress/terms/term-record.js';
export { type TermListQuery, TermsService } from './wordpress/terms/terms.service.js';
export type { CapabilityUser, Roles } from './wordpress/users/capabilities.js';
// The site: settings and rows.
export { WordPressModule } from './wordpress/wordpress.module.js';
