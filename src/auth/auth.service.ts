import { Inject, Injectable } from '@nestjs/common';
import { Environment } from '../config/env.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import type { SiteSettings } from '../wordpress/options/site-settings.js';
import {
  type CapabilityUser,
  capabilitiesOf,
  capabilitiesOfRoles,
  SuperAdminCapabilities,
} from '../wordpress/users/capabilities.js';
import { CAPABILITIES, isSameName, type UserRecord, UsersService } from '../wordpress/users/users.service.js';
import { AuthStrategies } from './auth-strategies.service.js';
import {
  type AuthStrategy,
  rejectLogin,
  type SiteUserLogin,
  type VirtualUserLogin,
} from './auth-strategy.js';
import { LoginAttempts } from './login-attempts.service.js';
import { type AuthRequest, headerOf, LoginRequest } from './login-request.js';

export type { AuthRequest };

/** The user, the name of the strategy, and the new nonce for `X-WP-Nonce`. */
export interface Authentication {
  user: CapabilityUser | null;
  via: string | null;
  nonce?: string;
}

const UNAUTHENTICATED: Authentication = { user: null, via: null };
/** Maximum characters of a virtual user's name and e-mail address; a subject that is cut would be another one's. */
const MAX_TEXT_LENGTH = 255;

/** Authenticates requests by the strategies, in their order (docs/behaviour/authentication.md). */
@Injectable()
export class AuthService {
  constructor(
    private readonly env: Environment,
    @Inject(SettingsService) private readonly settings: Pick<SettingsService, 'current'>,
    @Inject(UsersService)
    private readonly users: Pick<
      UsersService,
      'findById' | 'findByLogin' | 'findByEmail' | 'findByMeta' | 'hasNetwork'
    >,
    private readonly strategies: AuthStrategies,
    private readonly attempts: LoginAttempts,
  ) {}

  /**
   * Authenticates a request; throws `AuthError` for wrong credentials (401), a wrong nonce or a user who may not sign in
   * (403), too many failures (429) and a strategy that fails (503).
   */
  async authenticate(request: AuthRequest): Promise<Authentication> {
    for (const strategy of this.strategies.all) {
      if (!AuthStrategies.concerns(strategy, request)) continue;
      const found = await this.ask(strategy, new LoginRequest(request, strategy.headers));
      if (found) return found;
    }
    const isBearer = /^bearer\b/i.test(headerOf(request, 'authorization')?.trim() ?? '');
    if (isBearer && this.strategies.takesBearer) throw await this.attempts.unknownToken(request);
    return UNAUTHENTICATED;
  }

  private async ask(strategy: AuthStrategy, request: LoginRequest): Promise<Authentication | undefined> {
    const result = await this.attempts.run(strategy, request);
    if (!result) return undefined;
    const via = strategy.name;
    switch (result.kind) {
      case 'anonymous':
        return { user: null, via: null, ...(result.nonce !== undefined && { nonce: result.nonce }) };
      case 'known_user': {
        const { user, nonce } = result;
        const known = this.userOf(user, await this.settings.current());
        return { user: known, via, ...(nonce !== undefined && { nonce }) };
      }
      case 'site_user': {
        const user = await this.siteUser(result, via);
        if (user) return { user, via };
        const unknown = rejectLogin(401, 'unknown_user', 'The site does not have this user.');
        throw this.attempts.toError(strategy, unknown);
      }
      case 'virtual_user':
        return { user: await this.virtualUser(result, via), via };
    }
  }

  private async siteUser(login: SiteUserLogin, strategy: string): Promise<CapabilityUser | undefined> {
    const { only, otherwise } = login;
    const record = await this.findUser(login);
    const user = record
      ? this.userOf(record, await this.settings.current())
      : otherwise && (await this.virtualUser(otherwise, strategy));
    if (!user) return undefined;
    return only === undefined
      ? user
      : { ...user, capabilities: new Set(only.filter((name) => user.capabilities.has(name))) };
  }

  private async findUser({ id, login, email, meta }: SiteUserLogin): Promise<UserRecord | null> {
    if (id !== undefined) return this.users.findById(id);
    if (login === undefined && email === undefined && meta) return this.users.findByMeta(meta);
    const name = login ?? email ?? '';
    const isByLogin = login !== undefined;
    const record = await (isByLogin ? this.users.findByLogin(name) : this.users.findByEmail(name));
    return record && isSameName(name, isByLogin ? record.login : record.email) ? record : null;
  }

  private async virtualUser(login: VirtualUserLogin, strategy: string): Promise<CapabilityUser> {
    const { roles: siteRoles } = await this.settings.current();
    const roles = (login.roles ?? []).filter((role) => siteRoles.has(role));
    const capabilities = capabilitiesOfRoles([...roles, ...(login.capabilities ?? [])], siteRoles);
    if (this.env.disallowUnfilteredHtml || this.users.hasNetwork) capabilities.delete('unfiltered_html');
    const { subject } = login;
    const name = (login.name || subject).slice(0, MAX_TEXT_LENGTH);
    const email = (login.email ?? '').slice(0, MAX_TEXT_LENGTH);
    return { id: 0, capabilities, profile: { strategy, subject, name, email, roles } };
  }

  /** A user with all capabilities on this site; `isDenied` removes `unfiltered_html`. */
  userOf(
    { id, isSuperAdmin, meta }: UserRecord,
    settings: SiteSettings,
    isDenied = this.env.disallowUnfilteredHtml,
  ): CapabilityUser {
    const own = capabilitiesOf(meta.get(CAPABILITIES), settings.roles);
    // In a network only super admins have `unfiltered_html`.
    if (isDenied || isSuperAdmin === false) own.delete('unfiltered_html');
    if (!isSuperAdmin) return { id, capabilities: own };
    return { id, capabilities: new SuperAdminCapabilities(own, isDenied ? ['unfiltered_html'] : []) };
  }
}
