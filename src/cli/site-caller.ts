import type { INestApplicationContext } from '@nestjs/common';
import { AuthService } from '../auth/auth.service.js';
import { OWN_NAMESPACE } from '../config/env.js';
import { StartError } from '../database/start-error.js';
import { ParameterReader } from '../http/params/parameters.js';
import { type RequestContext, toWriteContext, type WriteContext } from '../http/request-context.js';
import { RequestContexts } from '../http/request-contexts.service.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import type { CapabilityUser } from '../wordpress/users/capabilities.js';
import { UsersService } from '../wordpress/users/users.service.js';

/** A user or anonymous caller of a site's services, with the rights and checks of a request. */
export class SiteCaller {
  private constructor(
    private readonly app: INestApplicationContext,
    private readonly user: CapabilityUser | null,
  ) {}

  /** Finds the user, anonymous without `login`; `isFiltered` always cleans markup. Throws `StartError` if unknown. */
  static async of(
    app: INestApplicationContext,
    login?: string,
    { isFiltered = false }: { isFiltered?: boolean } = {},
  ): Promise<SiteCaller> {
    if (login === undefined) return new SiteCaller(app, null);
    const users = app.get(UsersService);
    const user = (await users.findByLogin(login)) ?? (await users.findByEmail(login));
    if (!user || login === '')
      throw new StartError(`There is no user with the login or e-mail address "${login}".`);
    const settings = await app.get(SettingsService).current();
    return new SiteCaller(app, app.get(AuthService).userOf(user, settings, isFiltered || undefined));
  }

  /** A context of the current time. */
  async context(): Promise<WriteContext> {
    return toWriteContext(await this.app.get(RequestContexts).ofUser(this.user, OWN_NAMESPACE));
  }

  /** Validates and transforms raw parameters like those of a request; throws `RestException`. */
  read<T extends object>(
    dto: new () => T,
    raw: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ): Promise<T> {
    return this.app.get(ParameterReader).read(dto, raw, context);
  }
}
