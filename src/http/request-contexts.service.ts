import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type Authentication, AuthService } from '../auth/auth.service.js';
import { calendarSettings } from '../calendar/calendar-settings.js';
import { Clock } from '../common/clock.js';
import { getStore } from '../common/context/request-store.js';
import { Hooks } from '../common/hooks/hooks.js';
import { Environment, OWN_NAMESPACE } from '../config/env.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import { ContentTypes } from '../wordpress/types/content-types.js';
import type { CapabilityUser } from '../wordpress/users/capabilities.js';
import { makeContext, type RequestContext } from './request-context.js';
import { RequestTime } from './request-time.js';
import { restOf } from './rest-request.js';
import { Preconditions } from './safe-writes/preconditions.js';

/** The filters of reads, whose results may depend on anything. */
const READ_FILTERS = /^rest_(prepare_.+|.+_query)$/;
const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

/** Authenticates requests, and makes the context of each once. */
@Injectable()
export class RequestContexts {
  private readonly contexts = new WeakMap<Request, Promise<RequestContext>>();

  constructor(
    private readonly env: Environment,
    private readonly settings: SettingsService,
    private readonly clock: Clock,
    private readonly auth: AuthService,
    private readonly types: ContentTypes,
    private readonly hooks: Hooks,
  ) {}

  /** The user by headers and a nonce of form or query; throws `AuthError`. */
  async authenticate(request: Request, nonce?: unknown): Promise<Authentication> {
    const found = await this.auth.authenticate({
      method: request.method,
      headers: request.headers,
      remoteAddress: request.ip ?? '',
      secure: request.secure,
      loopback: LOOPBACK.test(request.socket.remoteAddress ?? '') && LOOPBACK.test(request.ip ?? ''),
      nonce: typeof nonce === 'string' ? nonce : undefined,
    });
    const current = getStore()?.request;
    // Errors of anonymous requests are 401 instead of 403.
    if (current) current.signedIn = found.user !== null;
    return found;
  }

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
    const user = rest?.user === undefined ? (await this.authenticate(request)).user : rest.user;
    const context = await this.ofUser(user, rest?.namespace);
    return { ...context, preconditions: Preconditions.of(request.headers) };
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
