import type { INestApplicationContext } from '@nestjs/common';
import { AuthService } from '../auth/auth.service.js';
import { calendarSettings } from '../calendar/calendar-settings.js';
import { Environment, OWN_NAMESPACE } from '../config/env.js';
import { StartError } from '../database/start-error.js';
import { Lookups } from '../http/lookups.js';
import { readParameters } from '../http/parameters.js';
import { ParameterClasses } from '../http/parameter-classes.js';
import { makeContext, type RequestContext } from '../http/request-context.js';
import { Clock } from '../wordpress/dates/clock.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import { PostsService } from '../wordpress/posts/posts.service.js';
import { PostVisibility } from '../wordpress/posts/post-visibility.js';
import { TermVisibility } from '../wordpress/terms/term-visibility.js';
import { TermsService } from '../wordpress/terms/terms.service.js';
import { ContentTypes } from '../wordpress/types/content-types.js';
import type { CapabilityUser } from '../wordpress/users/capabilities.js';
import { UsersService } from '../wordpress/users/users.service.js';

/** Somebody, or nobody, who uses the services of a site as requests do: by the same rights and the same checks. */
export class SiteCaller {
  private constructor(
    private readonly app: INestApplicationContext,
    private readonly user: CapabilityUser | null,
  ) {}

  /**
   * The user with this login or e-mail address; nobody where none is named. `isFiltered`: its markup is cleaned, whatever it
   * may write. A `StartError` where there is none.
   */
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

  /** The context of something that is asked now. */
  async context(): Promise<RequestContext> {
    const settings = calendarSettings(await this.app.get(SettingsService).current());
    const base = { root: this.app.get(Environment).restBaseUrl, namespace: OWN_NAMESPACE };
    const now = this.app.get(Clock).now();
    return makeContext(this.user, { settings, base, now }, this.app.get(ContentTypes));
  }

  /** Checks and reads raw parameters as those of a request are; throws the same `Refusal`. */
  read<T extends object>(
    dto: new () => T,
    raw: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ): Promise<T> {
    const visibility = this.app.get(PostVisibility);
    const terms = this.app.get(TermVisibility);
    const lookups = new Lookups(
      this.app.get(PostsService),
      this.app.get(TermsService),
      this.app.get(UsersService),
      {
        posts: (posts) => visibility.of(posts, context),
        terms: (found) => terms.of(found, context),
      },
    );
    const classes = this.app.get(ParameterClasses);
    return readParameters(dto, { ...raw }, { ...context, lookups, classes });
  }
}
