import { Controller, Get } from '@nestjs/common';
import { CORE_NAMESPACE } from '../config/env.js';
import { forbidden } from '../common/errors/rest-exception.js';
import { Parameters } from '../http/params/parameters.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { Undocumented } from '../http/undocumented.decorator.js';
import { UserProfiles } from '../wordpress/users/user-profiles.service.js';
import { CoreQuery } from './wp-core-api.dto.js';
import { toMeResponse } from './me.response.js';

/** The current user; other users are never shown. */
@Undocumented()
@Controller(`${CORE_NAMESPACE}/users`)
export class UsersController {
  constructor(private readonly profiles: UserProfiles) {}

  @Get('me')
  async me(@Parameters(CoreQuery) { context: view }: CoreQuery, @Context() context: RequestContext) {
    const { access } = context;
    const profile = access.signedIn ? await this.profiles.find(access.user.id) : null;
    if (!profile) throw forbidden('You are not signed in.', 'rest_not_logged_in');
    return toMeResponse(profile, view, context);
  }
}
