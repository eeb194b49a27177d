import { Controller, Get } from '@nestjs/common';
import { forbidden } from '../common/errors/rest-exception.js';
import { CORE_NAMESPACE } from '../config/env.js';
import { coreUrl } from '../http/core-links.js';
import { Parameters } from '../http/params/parameters.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { Undocumented } from '../http/undocumented.decorator.js';
import { asMap, isTruthy, serialize, unserialize } from '../lib/wordpress-text/php-serialize.js';
import { linkFront, prettyLink } from '../wordpress/posts/permalink.js';
import type { VirtualProfile } from '../wordpress/users/capabilities.js';
import { type UserProfile, UserProfiles } from '../wordpress/users/users.service.js';
import { CoreQuery, type View } from './list.dto.js';
import { ListUsersQuery } from './users.dto.js';
import { UsersListService } from './users.service.js';

/** The current user, and the names of authors. */
@Undocumented()
@Controller(`${CORE_NAMESPACE}/users`)
export class UsersController {
  constructor(
    private readonly profiles: UserProfiles,
    private readonly users: UsersListService,
  ) {}

  @Get()
  list(@Parameters(ListUsersQuery) query: ListUsersQuery, @Context() context: RequestContext) {
    return this.users.list(query, context);
  }

  @Get('me')
  async me(@Parameters(CoreQuery) { context: view }: CoreQuery, @Context() context: RequestContext) {
    const { access } = context;
    const { id, profile: virtual } = access.user;
    const profile = virtual ? toProfile(virtual) : access.signedIn ? await this.profiles.find(id) : null;
    if (!profile) throw forbidden('You are not signed in.', 'rest_not_logged_in');
    return toMeResponse(profile, view, context);
  }
}

/** The profile of a user that the site does not have. */
function toProfile({ subject, name, email, roles }: VirtualProfile): UserProfile {
  const capabilities = serialize(new Map(roles.map((role) => [role, true])));
  const none = { id: 0, nicename: '', url: '', registered: '1970-01-01 00:00:00', meta: new Map() };
  return { ...none, login: subject, email, displayName: name, capabilities };
}

/** Makes the JSON of the current user (docs/behaviour/core-routes.md#usersme). */
function toMeResponse(user: UserProfile, view: View, context: RequestContext) {
  const { id, displayName, url, nicename, meta } = user;
  return {
    id,
    ...(view === 'edit' && { username: user.login }),
    name: displayName,
    ...(view === 'edit' && {
      first_name: meta.get('first_name') ?? '',
      last_name: meta.get('last_name') ?? '',
      email: user.email,
    }),
    url,
    description: meta.get('description') ?? '',
    link: authorLink(user, context),
    ...(view === 'edit' && {
      locale: meta.get('locale') || context.settings.render.locale,
      nickname: meta.get('nickname') ?? '',
    }),
    slug: nicename,
    ...(view === 'edit' && {
      registered_date: `${user.registered.replace(' ', 'T')}+00:00`,
      ...rights(user, context),
    }),
    ...(view !== 'embed' && { meta: [] }),
    _links: {
      self: [{ href: coreUrl(context, `users/${id === 0 ? 'me' : id}`) }],
      collection: [{ href: coreUrl(context, 'users') }],
    },
  };
}

function rights({ capabilities }: UserProfile, { access, settings }: RequestContext) {
  const own = [...asMap(unserialize(capabilities))].map(
    ([name, given]) => [String(name), isTruthy(given)] as const,
  );
  return {
    roles: own.flatMap(([name]) => (settings.roles.has(name) ? [name] : [])),
    capabilities: Object.fromEntries([...access.user.capabilities].map((name) => [name, true])),
    extra_capabilities: Object.fromEntries(own),
  };
}

function authorLink({ id, nicename }: UserProfile, { settings: { links } }: RequestContext): string {
  if (id === 0) return '';
  if (links.permalinkStructure === '') return `${links.home}/?author=${id}`;
  return prettyLink(links, `${linkFront(links)}author/${nicename}`);
}
