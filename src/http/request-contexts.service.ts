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

/** The filters of reads, of whose results nothing is known. */
const READ_FILTERS = /^rest_(prepare_.+|.+_query)$/;

/** Makes the context of a request, once per request. */
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

  /** Lets lists of a request hold serialized records: nothing but us sees them before they are sent. */
  async allowSerialized(request: Request): Promise<RequestContext> {
    const context = { ...(await this.of(request)), allowSerialized: true };
    this.made.set(request, Promise.resolve(context));
    return context;
  }

  /** The context of an anonymous request, whatever credentials a browser sends along. */
  anonymous(): Promise<RequestContext> {
    return this.ofUser(null);
  }

  private async make(request: Request): Promise<RequestContext> {
    const rest = restOf(request);
    const user = rest?.user === undefined ? (await this.signIn.of(request)).user : rest.user;
    setCurrentUser(user);
    return this.ofUser(user, rest?.namespace);
  }

  /** The context of what a user requests, or of what is done in their name. */
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
