import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

interface Key {
  kid: string;
  privateKey: CryptoKey;
  jwk: JWK;
}

async function makeKey(kid: string): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
}

/** An OpenID Connect issuer on this machine, with one key at a time. */
export class Issuer {
  private server: Server;
  key: Key;
  url: string;
  keyReads = 0;

  async start(): Promise<this> {
    this.key = await makeKey('first');
    this.server = createServer(({ url }, response) => {
      response.setHeader('content-type', 'application/json');
      if (url === '/.well-known/openid-configuration') {
        response.end(JSON.stringify({ issuer: this.url, jwks_uri: `${this.url}/keys` }));
      } else if (url === '/keys') {
        this.keyReads++;
        response.end(JSON.stringify({ keys: [this.key.jwk] }));
      } else {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  /** Replaces the key, and returns the former one. */
  async rotate(kid: string): Promise<Key> {
    const former = this.key;
    this.key = await makeKey(kid);
    return former;
  }

  token(
    claims: object,
    { now = 0, seconds = 300, audience = 'calendar', key = this.key, issuer = this.url },
  ) {
    const issuedAt = Math.floor(now / 1000);
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: key.kid })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + seconds)
      .sign(key.privateKey);
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}
