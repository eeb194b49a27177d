import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { calendarSettings } from '../calendar/calendar-settings.js';
import { Environment, OWN_NAMESPACE } from '../config/env.js';
import { Hooks } from '../common/hooks/hooks.js';
import { Clock } from '../common/clock.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import { ContentTypes } from '../wordpress/types/content-types.js';
import type { CapabilityUser } from '../wordpress/users/capabilities.js';
import { limitCacheUntil, makeContext, type RequestContext } from './request-context.js';
import { restOf } from './rest-request.js';
import { setCurrentUser, RequestAuthenticator } from './request-authenticator.service.js';

/** The filters of reads. */
const READING = /^rest_(prepare_.+|.+_query)$/;

/** Makes the context of a request: once, whoever asks. */
@Injectable()
export class RequestContexts {
  private readonly made = new WeakMap<Request, Promise<RequestContext>>();

  constructor(
    private readonly env: Environment,
    private readonly settings: SettingsService,
    private readonly clock: Clock,
    private readonly signIn: RequestAuthenticator,
    private readonly types: ContentTypes,
    private readonly hooks: Hooks,
  ) {}

  /** The context; outside the namespaces this is when credentials are looked at, which may throw `AuthError`. */
  of(request: Request): Promise<RequestContext> {
    const made = this.made.get(request) ?? this.make(request);
    this.made.set(request, made);
    return made;
  }

  /** The context of what nobody in particular asks for, whatever credentials a browser sends along. */
  anonymous(): Promise<RequestContext> {
    return this.ofUser(null);
  }

  private async make(request: Request): Promise<RequestContext> {
    const rest = restOf(request);
    const user = rest?.user === undefined ? (await this.signIn.of(request)).user : rest.user;
    setCurrentUser(user);
    return this.ofUser(user, rest?.namespace);
  }

  /** The context of what somebody asks for, or of what is done in their name. */
  async ofUser(
    user: CapabilityUser | null,
    namespace = this.env.apiNamespaces[0] ?? OWN_NAMESPACE,
  ): Promise<RequestContext> {
    const settings = calendarSettings(await this.settings.current());
    const parts = {
      settings,
      base: { root: this.env.restBaseUrl, namespace },
      now: this.clock.now(),
    };
    const context = makeContext(user, parts, this.types);
    // What plugins make of records may follow from anything.
    if (this.hooks.hasAny(READING)) limitCacheUntil(context);
    return context;
  }
}
