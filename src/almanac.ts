/**
 * The front door of the package: what a plugin or an enterprise build may import, and the one file that re-exports.
 * What is not named here is closed and may change in any version; nothing in src imports from here.
 */

export { Access } from './auth/access.js';
export { type Attempt, RateLimiter } from './auth/rate-limiter.js';
export type { CalendarSettings } from './calendar/calendar-settings.js';
export { CategoriesModule } from './resources/categories/categories.module.js';
export { CategoriesService } from './resources/categories/categories.service.js';
export { CATEGORY } from './resources/categories/category-type.js';
export { type MigrateOptions, migrate } from './cli/migrate.js';
export { Environment, EnvironmentError, OWN_NAMESPACE, readEnvironment } from './config/env.js';
// Starting: what a main.ts of one's own needs.
export { createServer, type ServerOptions } from './app/create-server.js';
export { Database } from './database/database.js';
export { StartError } from './database/start-error.js';
export { type Transaction, Transactions } from './database/transactions.js';
export {
  forbidden as notAllowed,
  type ErrorKind as Reason,
  RestException as Refusal,
} from './common/errors/rest-exception.js';
export { EventTermJson } from './resources/terms/event-term.response.js';
export { EventTermsModule } from './resources/terms/event-terms.module.js';
export { EventTermsService } from './resources/terms/event-terms.service.js';
export {
  GetTermQuery,
  ListTermsQuery,
  TermIdsArg,
  TermView,
  WriteTermDto,
} from './resources/terms/term.dto.js';
export { TermJson } from './resources/terms/term.response.js';
export { TermTools } from './resources/terms/term-tools.js';
export type { TermType } from './resources/terms/term-type.js';
export { GetEventQuery, ListEventsQuery } from './resources/events/event.dto.js';
export type { LoadedEvent as EventBundle } from './resources/events/event-loader.service.js';
export type { EventJson } from './resources/events/event-json.js';
export { EVENT } from './resources/events/event-type.js';
export { CreateEventDto, type EventFields, UpdateEventDto } from './resources/events/event-write.dto.js';
// The calendar: each resource's module and its services.
export { EventsModule } from './resources/events/events.module.js';
export { EventsService } from './resources/events/events.service.js';
// Joining in: filters and actions of every resource, fields added to any.
export { type Action, type ActionHook, type Filter, type FilterHook, Hooks } from './common/hooks/hooks.js';
export { RestResponse as Answer } from './http/rest-response.js';
export { BodyExample } from './http/params/body-example.js';
export {
  type CheckContext,
  getContext as contextOf,
  type TransformParams as Given,
} from './http/params/check-context.js';
export {
  ArePositiveInts,
  ArePostsOf,
  IsDateText,
  IsNonEmptyText,
  IsPositiveInt,
  IsPostOf,
  IsSearchText,
} from './http/params/checks.js';
// Requests: declaring parameters, asking who sends them, refusing them.
export { HttpModule } from './http/http.module.js';
export { Cacheable as Keep } from './http/response-cache/cacheable.decorator.js';
export { PageArg, PerPageArg, StatusesArg, UnlockArgs } from './http/params/list-args.js';
export { type CheckFunction as Judge, makeCheck } from './http/params/make-check.js';
export { Parameters } from './http/params/parameters.js';
export { PathId } from './http/params/path-id.js';
export { combine, Expiring, type Unwrap } from './cache/expiring.js';
export { Context, type RequestContext, toWriteContext, type WriteContext } from './http/request-context.js';
export type { RequestTime } from './http/request-time.js';
export { RequestContexts } from './http/request-contexts.service.js';
export { type ArgOptions, RequiredArgs, RestArg } from './http/params/rest-arg.js';
export type { RestBase } from './http/rest-request.js';
export { Update } from './http/update.decorator.js';
export type { OrganizerJson } from './resources/organizers/organizer.response.js';
export { ORGANIZER } from './resources/organizers/organizer-type.js';
export type { OrganizerFields } from './resources/organizers/organizer-write.dto.js';
export { OrganizersModule } from './resources/organizers/organizers.module.js';
export { OrganizersService } from './resources/organizers/organizers.service.js';
// Replacing: the four parts that a plugin's module may name in `replaces`, and what they take and give.
export type { MigrationClass, Plugin, Replacement } from './plugins/plugin.js';
export type { ListQuery as AskedList } from './resources/base/list-query.js';
export { type DeclaredField, type DeclaredFields, ListOf } from './resources/base/declared-field.js';
export { definePosts, type PlainPosts } from './resources/base/define-posts.js';
// A resource of one's own.
export { Member, type MemberOptions, type MemberSchema, withMembers } from './resources/base/member.js';
export { type Page, type PageInfo, paged } from './resources/base/page.js';
export { PlainPostFields, PlainPostListQuery } from './resources/base/plain-post.dto.js';
export { PlainPostJson } from './resources/base/plain-post.response.js';
export { PlainPostsService } from './resources/base/plain-posts.service.js';
export { leadingMembers, PostJson, textMembers } from './resources/base/post-json.js';
export { PostResourceService } from './resources/base/post-resource.service.js';
export { PostResourceDeps as PostResourceTools } from './resources/base/post-resource-deps.js';
export {
  defineResource,
  type Grant,
  type Grants,
  type PostResource,
  type Resource,
  type LoadedPost as ShownPost,
  type TermResource,
} from './resources/base/resource.js';
export { ResourceModule } from './resources/base/resource.module.js';
export { postHooks, type ResourceHooks, termHooks } from './resources/base/resource-hooks.js';
export type { ResponseContext } from './resources/base/response-context.js';
export { TAG } from './resources/tags/tag-type.js';
export { TagsModule } from './resources/tags/tags.module.js';
export { TagsService } from './resources/tags/tags.service.js';
export type { VenueJson } from './resources/venues/venue.response.js';
export { VENUE } from './resources/venues/venue-type.js';
export type { VenueFields } from './resources/venues/venue-write.dto.js';
export { VenuesModule } from './resources/venues/venues.module.js';
export { VenuesService } from './resources/venues/venues.service.js';
export { Clock } from './common/clock.js';
export type { RenderSite } from './lib/wordpress-text/formatting/render-context.js';
export type { ImageObject } from './lib/wordpress-text/image-object.js';
export { ImageRejected as ImageRefused } from './wordpress/media/image-rejected.js';
export { type FileToStore, ImageStore, type StoredFiles } from './wordpress/media/image-store.js';
export type { MediaSettings } from './wordpress/media/media-settings.js';
export { freeStem, type UploadName } from './wordpress/media/upload-name.js';
export { SettingsService } from './wordpress/options/settings.service.js';
export type { SiteSettings } from './wordpress/options/site-settings.js';
export type { LinkSettings } from './wordpress/posts/permalink.js';
export { Post } from './wordpress/posts/post.entity.js';
export { PostQuery } from './wordpress/posts/post-query.js';
export type { PostRecord, PostRow } from './wordpress/posts/post-record.js';
export { type PostIdentity, PostsService } from './wordpress/posts/posts.service.js';
export {
  type PostTexts,
  type RenderedPosts,
  Renderer,
  type TextsOfPosts,
} from './wordpress/rendering/renderer.service.js';
export type { TermRecord } from './wordpress/terms/term-record.js';
export { TermTaxonomy } from './wordpress/terms/term-taxonomy.entity.js';
export { type TermListQuery, TermsService } from './wordpress/terms/terms.service.js';
export type { CapabilityUser } from './wordpress/users/capabilities.js';
export type { Roles } from './wordpress/users/roles.js';
// The site: its settings and its rows.
export { WordPressModule } from './wordpress/wordpress.module.js';
