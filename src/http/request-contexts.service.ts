import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { calendarSettings } from '../calendar/calendar-settings.js';
import { Clock } from '../common/clock.js';
import { Hooks } from '../common/hooks/hooks.js';
import { Environment, OWN_NAMESPACE } from '../config/env.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import { ContentTypes } from '../wordpress/types/content-types.js';
import type { CapabilityUser } from '../wordpress/users/capabilities.js';
import { RequestAuthenticator, setCurrentUser } from './request-authenticator.service.js';
import { makeContext, type RequestContext } from './request-context.js';
import { RequestTime } from './request-time.js';
import { restOf } from './rest-request.js';

/** The filters of reads, whose results may depend on anything. */
const READ_FILTERS = /^rest_(prepare_.+|.+_query)$/;

/** Makes the context of a request, once per request. */
@Injectable()
export class RequestContexts {
  private readonly contexts = new WeakMap<Request, Promise<RequestContext>>();

  constructor(
    private readonly env: Environment,
    private readonly settings: SettingsService,
    private readonly clock: Clock,
    private readonly signIn: RequestAuthenticator,
    private readonly types: ContentTypes,
    private readonly hooks: Hooks,
  ) {}

  /** The context; outside the namespaces it authenticates the request, which may throw `AuthError`. */
  of(request: Request): Promise<RequestContext> {
    const context = this.contexts.get(request) ?? this.make(request);
    this.contexts.set(request, context);
    return context;
  }

  /** Allows serialized records in lists of a request that no other code sees before they are sent. */
  async allowSerialized(request: Request): Promise<RequestContext> {
    const context = { ...(await this.of(request)), allowSerialized: true };
    this.contexts.set(request, Promise.resolve(context));
    return context;
  }

  /** The context of an anonymous request, whatever its credentials. */
  anonymous(): Promise<RequestContext> {
    return this.ofUser(null);
  }

  private async make(request: Request): Promise<RequestContext> {
    const rest = restOf(request);
    const user = rest?.user === undefined ? (await this.signIn.of(request)).user : rest.user;
    setCurrentUser(user);
    return this.ofUser(user, rest?.namespace);
  }

  /** The context of a user's request, or of work in their name. */
  async ofUser(
    user: CapabilityUser | null,
    namespace = this.env.apiNamespaces[0] ?? OWN_NAMESPACE,
  ): Promise<RequestContext> {
    const settings = calendarSettings(await this.settings.current());
    const base = { root: this.env.restBaseUrl, namespace };
    const time = new RequestTime(this.clock.now(), this.hooks.hasAny(READ_FILTERS));
    return makeContext(user, { settings, base, time }, this.types);
  }
}
