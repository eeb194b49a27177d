import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

/** A key of an issuer. */
export interface IssuerKey {
  kid: string;
  alg: string;
  privateKey: CryptoKey;
  jwk: JWK;
}

/** What the issuer answers instead of its documents. */
type Fault = 'down' | 'slow' | 'huge' | 'no-json' | 'redirect' | 'other-issuer' | 'insecure-keys';

/** A small OpenID Connect issuer: discovery, keys, tokens. */
export class Issuer {
  /** The published keys. */
  keys: IssuerKey[] = [];
  fault?: Fault;
  /** Requests by path. */
  readonly requests: string[] = [];
  private readonly server: Server;
  url = '';

  private constructor() {
    this.server = createServer((request, response) => {
      this.requests.push(request.url ?? '');
      if (this.fault === 'down') return request.socket.destroy();
      if (this.fault === 'slow') return;
      if (this.fault === 'redirect') return response.writeHead(302, { location: `${this.url}/else` }).end();
      if (this.fault === 'no-json') return response.end('<html>');
      if (this.fault === 'huge') return response.end(JSON.stringify({ issuer: 'x'.repeat(2_000_000) }));
      response.end(JSON.stringify(this.answer(request.url ?? '')));
    });
  }

  static async start(): Promise<Issuer> {
    const issuer = new Issuer();
    await new Promise<void>((resolve) => issuer.server.listen(0, '127.0.0.1', resolve));
    issuer.url = `http://127.0.0.1:${(issuer.server.address() as AddressInfo).port}/realm`;
    await issuer.addKey('first');
    return issuer;
  }

  async addKey(kid: string, alg = 'RS256'): Promise<IssuerKey> {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const key = { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
    this.keys.push(key);
    return key;
  }

  /** A token for the audience `calendar`, valid for an hour from `now` in epoch milliseconds. */
  token(
    claims: JWTPayload = {},
    { key = this.keys[0], now = 0, header = {} }: TokenOptions = {},
  ): Promise<string> {
    if (!key) throw new Error('The issuer has no key.');
    const seconds = Math.floor(now / 1000);
    const payload = {
      iss: this.url,
      aud: 'calendar',
      sub: 'user-1',
      iat: seconds,
      exp: seconds + 3600,
      ...claims,
    };
    // A member that is undefined is left out.
    return new SignJWT(JSON.parse(JSON.stringify(payload)) as JWTPayload)
      .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
      .sign(key.privateKey);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(path: string): unknown {
    if (path === '/realm/jwks') return { keys: this.keys.map(({ jwk }) => jwk) };
    if (path !== '/realm/.well-known/openid-configuration') return {};
    return {
      issuer: this.fault === 'other-issuer' ? 'https://other.example.org' : this.url,
      jwks_uri: this.fault === 'insecure-keys' ? 'http://192.0.2.1/jwks' : `${this.url}/jwks`,
    };
  }
}

interface TokenOptions {
  key?: IssuerKey;
  now?: number;
  header?: Record<string, unknown>;
}
