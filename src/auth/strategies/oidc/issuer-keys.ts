import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../../common/clock.js';
import { firstLine } from '../../../common/errors/first-line.js';
import { isSafeUrl } from '../../../config/parse-variable.js';

/** The issuer's keys cannot be read, so that no token of it can be checked. */
export class IssuerUnavailable extends Error {}

/** Age from which keys are read anew while the known ones are still used, in milliseconds. */
const REFRESH_AFTER = 600_000;
/** Age from which known keys are not used any more. */
const EXPIRE_AFTER = 86_400_000;
/** Time between two reads, for tokens of an unknown key and after a failure. */
const COOLDOWN = 30_000;
const RETRY_AFTER = 5000;
/** Time limit of each of the two requests. */
const TIMEOUT_MS = 5000;
const MAX_BYTES = 524_288;

/** The public keys of an OpenID Connect issuer, found by discovery and read again when they change. */
export class IssuerKeys {
  private keys?: ReturnType<typeof createLocalJWKSet>;
  private loadedAt = Number.NEGATIVE_INFINITY;
  private triedAt = Number.NEGATIVE_INFINITY;
  private failure?: IssuerUnavailable;
  private pending?: Promise<void>;

  constructor(
    private readonly issuer: string,
    private readonly clock: Pick<Clock, 'now'>,
    /** Receives each failure. */
    private readonly warn: (message: string) => void = () => undefined,
  ) {}

  /** The key of a token, for `jwtVerify`; throws `IssuerUnavailable` or an error of jose. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const age = this.since(this.loadedAt);
    if (!this.keys || age >= EXPIRE_AFTER) await this.refresh();
    else if (age >= REFRESH_AFTER) this.refresh().catch(() => undefined);
    try {
      return await this.current()(header, token);
    } catch (error) {
      const mayBeNew = this.pending !== undefined || this.since(this.triedAt) >= COOLDOWN;
      if (!(error instanceof errors.JWKSNoMatchingKey) || !mayBeNew) throw error;
      await this.refresh();
      return this.current()(header, token);
    }
  };

  /** Reads the keys; concurrent calls are one. Throws `IssuerUnavailable`, also without a request shortly after a failure. */
  refresh(): Promise<void> {
    if (this.pending) return this.pending;
    if (this.failure && this.since(this.triedAt) < RETRY_AFTER) return Promise.reject(this.failure);
    this.triedAt = this.clock.now();
    this.pending = this.load().finally(() => {
      this.pending = undefined;
    });
    return this.pending;
  }

  private async load(): Promise<void> {
    try {
      this.keys = createLocalJWKSet(await this.read());
      this.loadedAt = this.clock.now();
      this.failure = undefined;
    } catch (error) {
      const cause = error instanceof Error && error.cause ? error.cause : error;
      this.failure = new IssuerUnavailable(`The keys of ${this.issuer} cannot be read: ${firstLine(cause)}`);
      this.warn(this.failure.message);
      throw this.failure;
    }
  }

  private async read(): Promise<JSONWebKeySet> {
    const address = `${this.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const { issuer, jwks_uri: keys } = await readJson(address);
    if (issuer !== this.issuer)
      throw new Error(`it calls itself ${JSON.stringify(issuer)}, which OIDC_ISSUER must repeat exactly`);
    if (typeof keys !== 'string' || !URL.canParse(keys)) throw new Error('its configuration has no jwks_uri');
    return (await readJson(keys)) as unknown as JSONWebKeySet;
  }

  private current(): NonNullable<IssuerKeys['keys']> {
    if (this.keys) return this.keys;
    throw this.failure ?? new IssuerUnavailable(`The keys of ${this.issuer} were not read.`);
  }

  /** Milliseconds, also after the clock was set back. */
  private since(time: number): number {
    return Math.abs(this.clock.now() - time);
  }
}

/** The JSON object at an address; without redirects, within the limits of time and size. */
async function readJson(address: string): Promise<Record<string, unknown>> {
  if (!isSafeUrl(new URL(address))) throw new Error(`${address} is no https:// address`);
  const response = await fetch(address, {
    headers: { accept: 'application/json', 'accept-encoding': 'identity' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 200) throw new Error(`${address} answers with the status ${response.status}`);
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > MAX_BYTES) throw new Error(`${address} is larger than ${MAX_BYTES} bytes`);
  }
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new Error(`${address} is no JSON object`);
  return value as Record<string, unknown>;
}
