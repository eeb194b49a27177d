import { coreUrl } from '../http/core-links.js';
import type { RequestContext } from '../http/request-context.js';
import { asMap, isTruthy, unserialize } from '../lib/wordpress-text/php-serialize.js';
import { linkFront, prettyLink } from '../wordpress/posts/permalink.js';
import type { UserProfile } from '../wordpress/users/user-profiles.service.js';
import type { View } from './wp-core-api.dto.js';

/** Makes the JSON of the current user (docs/behaviour/core-routes.md#usersme). */
export function toMeResponse(user: UserProfile, view: View, context: RequestContext) {
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
      self: [{ href: coreUrl(context, `users/${id}`) }],
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
  if (links.permalinkStructure === '') return `${links.home}/?author=${id}`;
  return prettyLink(links, `${linkFront(links)}author/${nicename}`);
}
