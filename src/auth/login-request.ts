const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** The parts of a request that authentication reads. */
export interface AuthRequest {
  method: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  remoteAddress: string;
  /** Whether it came over TLS, directly or by a trusted proxy. */
  secure: boolean;
  /** Whether it came from this machine. */
  loopback: boolean;
  /** `_wpnonce` of the form or query. */
  nonce?: string;
}

/** A request as a strategy sees it. */
export class LoginRequest {
  readonly method: string;
  /** Whether it came over TLS, directly or by a trusted proxy. */
  readonly secure: boolean;
  /** Whether it came from this machine. */
  readonly loopback: boolean;
  /** The client's address; IPv4 in its own form. */
  readonly address: string;

  /** `names`: the headers that may be read. */
  constructor(
    private readonly request: AuthRequest,
    private readonly names: readonly string[],
  ) {
    this.method = request.method;
    this.secure = request.secure;
    this.loopback = request.loopback;
    this.address = request.remoteAddress.replace(/^::ffff:(?=\d+\.)/i, '');
  }

  /** The value of a header; throws for one that the strategy does not declare. */
  header(name: string): string | undefined {
    if (!this.names.includes(name))
      throw new Error(`The strategy reads the header ${name}, which its "headers" do not name.`);
    return headerOf(this.request, name);
  }

  /** The token of `Authorization: Bearer …`; undefined for other schemes and malformed headers. */
  get bearer(): string | undefined {
    return BEARER.exec(this.header('authorization')?.trim() ?? '')?.[1];
  }

  /** The values of all headers that may be read. */
  get credentials(): string {
    return JSON.stringify(this.names.map((name) => headerOf(this.request, name) ?? null));
  }
}

/** The value of a header; that of `x-wp-nonce` may also be in a form or query. */
export function headerOf({ headers, nonce }: AuthRequest, name: string): string | undefined {
  if (name === 'x-wp-nonce' && nonce !== undefined) return nonce;
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
