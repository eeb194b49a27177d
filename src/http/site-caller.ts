import { AuthService } from '../auth/auth.service.js';
import { OWN_NAMESPACE } from '../config/env.js';
import { StartError } from '../database/start-error.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import type { CapabilityUser } from '../wordpress/users/capabilities.js';
import { UsersService } from '../wordpress/users/users.service.js';
import { ParameterReader } from './params/parameters.js';
import { type RequestContext, toWriteContext, type WriteContext } from './request-context.js';
import { RequestContexts } from './request-contexts.service.js';
import type { Services } from './services.js';

/** A user or anonymous caller of a site's services, with the rights and checks of a request. */
export class SiteCaller {
  private constructor(
    private readonly services: Services,
    private readonly user: CapabilityUser | null,
  ) {}

  /** Finds the user, anonymous without `login`; `isFiltered` always cleans markup. Throws `StartError` if unknown. */
  static async of(
    services: Services,
    login?: string,
    { isFiltered = false }: { isFiltered?: boolean } = {},
  ): Promise<SiteCaller> {
    if (login === undefined) return new SiteCaller(services, null);
    const users = services.get(UsersService);
    const user = (await users.findByLogin(login)) ?? (await users.findByEmail(login));
    if (!user || login === '')
      throw new StartError(`There is no user with the login or e-mail address "${login}".`);
    const settings = await services.get(SettingsService).current();
    return new SiteCaller(
      services,
      services.get(AuthService).userOf(user, settings, isFiltered || undefined),
    );
  }

  /** A context of the current time. */
  async context(): Promise<WriteContext> {
    return toWriteContext(await this.services.get(RequestContexts).ofUser(this.user, OWN_NAMESPACE));
  }

  /** Validates and transforms raw parameters like those of a request; throws `RestException`. */
  read<T extends object>(
    dto: new () => T,
    raw: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ): Promise<T> {
    return this.services.get(ParameterReader).read(dto, raw, context);
  }
}
