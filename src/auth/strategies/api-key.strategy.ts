import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { Environment } from '../../config/env.js';
import { ApiKey } from '../api-keys/api-key.entity.js';
import { hashSecret, isApiKey, parseApiKey } from '../api-keys/api-key-text.js';
import { AuthStrategy, type LoginResult, type LoginScheme, rejectLogin, siteUser } from '../auth-strategy.js';
import { LastUses } from '../last-uses.js';
import type { LoginRequest } from '../login-request.js';
import { equal } from '../password-hash.js';

/** How exactly the last use is stored, in milliseconds. */
const USE_PRECISION = 3_600_000;

/** API keys as bearer tokens (docs/behaviour/authentication.md#api-keys). A key is read anew for each request. */
@Injectable()
export class ApiKeyStrategy extends AuthStrategy {
  private readonly lastUses = new LastUses('an API key');
  override readonly name = 'api-key';
  override readonly order = 20;
  override readonly scheme: LoginScheme = {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, which begins with almk_.',
  };

  constructor(
    private readonly env: Environment,
    private readonly clock: Clock,
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
  ) {
    super();
  }

  override get isActive(): boolean {
    return this.env.apiKeys === 'on';
  }

  override async authenticate(request: LoginRequest): Promise<LoginResult | undefined> {
    const token = request.bearer;
    if (token === undefined || !isApiKey(token)) return undefined;
    const parts = parseApiKey(token);
    const key = parts && (await this.keys.findOneBy({ id: parts.id }));
    if (!key || !equal(hashSecret(parts.secret), key.secretHash))
      return rejectLogin(401, 'invalid_api_key', 'The API key is wrong or was revoked.', {
        account: parts?.id,
      });
    const now = this.clock.now();
    if (key.expiresAt !== null && Number(key.expiresAt) <= now)
      return rejectLogin(401, 'expired_api_key', 'The API key has expired.', {
        account: key.id,
        wasValid: true,
      });
    await this.recordUse(key, now);
    return siteUser({ id: Number(key.userId), only: capabilitiesIn(key) });
  }

  /** Records the hour of the last use. */
  private async recordUse({ id, usedAt }: ApiKey, now: number): Promise<void> {
    const hour = now - (now % USE_PRECISION);
    if (this.env.readOnly || Number(usedAt) >= hour) return;
    await this.lastUses.store(() =>
      this.keys
        .createQueryBuilder()
        .update({ usedAt: hour })
        .where('key_id = :id AND (used_at IS NULL OR used_at < :hour)', { id, hour })
        .execute(),
    );
  }
}

/** The capabilities of a key; undefined for all of its user. */
export function capabilitiesIn({ capabilities }: Pick<ApiKey, 'capabilities'>): string[] | undefined {
  return capabilities === null ? undefined : (JSON.parse(capabilities) as string[]);
}
