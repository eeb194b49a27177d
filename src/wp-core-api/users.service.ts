import { Injectable } from '@nestjs/common';
import { forbidden } from '../common/errors/rest-exception.js';
import { coreUrl } from '../http/core-links.js';
import type { RequestContext } from '../http/request-context.js';
import { EVENT } from '../resources/events/event-type.js';
import { ORGANIZER } from '../resources/organizers/organizer-type.js';
import { VENUE } from '../resources/venues/venue-type.js';
import { type Author, Authors, hasPart } from '../wordpress/users/authors.service.js';
import { forbiddenContext, withCorePageHeaders } from './core-response.js';
import type { ListUsersQuery } from './users.dto.js';

/** Post types whose authors are listed. */
const TYPES = [EVENT.type, VENUE.type, ORGANIZER.type];

/** Lists users who may be authors of records (docs/behaviour/core-routes.md#users). */
@Injectable()
export class UsersListService {
  constructor(private readonly authors: Authors) {}

  async list(query: ListUsersQuery, context: RequestContext): Promise<Author[]> {
    const { access } = context;
    const { page, per_page: size, offset = (page - 1) * size, exclude = [] } = query;
    if (!access.signedIn) throw forbidden('You may not list users.', 'rest_user_cannot_view');
    if (query.context === 'edit' && !access.can('list_users')) throw forbiddenContext();
    const left = new Set(exclude);
    const found = (await this.found(query, context)).filter(({ id }) => !left.has(id));
    const body = found.slice(offset, offset + size).map(({ id, name }) => ({ id, name }));
    return withCorePageHeaders(body, { url: coreUrl(context, 'users'), query, total: found.length });
  }

  private async found(
    { search, include }: ListUsersQuery,
    { access, settings }: RequestContext,
  ): Promise<readonly Author[]> {
    const capabilities = TYPES.map((type) => `edit_${access.types.postType(type).capabilities}`);
    const isStaff = TYPES.some((type) => access.canOfType('edit_others', type));
    if (!isStaff) return this.own(access.user.id, search, include);
    const listed = await this.authors.list(capabilities, settings.roles, search);
    if (!include) return listed;
    const ids = new Set(include);
    const included = listed.filter(({ id }) => ids.has(id));
    if (search !== undefined) return included;
    // Records keep authors who have lost the right.
    for (const { id } of included) ids.delete(id);
    return [...included, ...(await this.authors.withRecords([...ids], TYPES))];
  }

  private async own(id: number, search = '', include = [id]): Promise<Author[]> {
    const name = (await this.authors.namesOf([id])).get(id);
    if (name === undefined || !hasPart(name, search) || !include.includes(id)) return [];
    return [{ id, name }];
  }
}
