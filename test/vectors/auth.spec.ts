import { parseBasicHeader } from '../../src/auth/application-login.js';
import {
  applicationPasswords,
  checkApplicationPassword,
  fastHash,
  normaliseApplicationPassword,
} from '../../src/auth/application-password.js';
import {
  type COOKIE_PREFIXES,
  cookieName,
  hasSession,
  isSigned,
  type LoginCookie,
  parseLoginCookie,
  passwordFragment,
  signingKey,
} from '../../src/auth/login-cookie.js';
import { checkNonce, createNonce, nonceTick } from '../../src/auth/nonce.js';
import { checkPassword, type HashJob, HashPool } from '../../src/auth/password-hash.js';
import { type SecretScheme, secretOf } from '../../src/auth/secrets.js';
import { wpPrehash } from '../../src/auth/slow-hash.js';
import type { SecretName } from '../../src/config/data/variables.js';
import { canWriteBack, serialize, toPlain, unserialize } from '../../src/lib/wordpress-text/php-serialize.js';
import {
  can,
  capabilitiesOf,
  type PostOperation,
  parseRoles,
} from '../../src/wordpress/users/capabilities.js';
import { compiledWorker } from '../support/compiled-worker.js';
import { accessOf } from '../support/content-types.js';
import { loadVectors, proveVectors } from '../support/vectors.js';

interface PasswordRow {
  password?: string;
  password_repeat?: { char: string; times: number };
  hash: string;
  check: boolean;
  check_trimmed?: boolean;
  check_wrong?: boolean;
}
interface ApplicationPasswordRow {
  supplied: string;
  normalised: string;
  hash: string;
  check_normalised: boolean;
  check_supplied_raw: boolean;
  check_lowercased: boolean;
}
interface CookieRow {
  user_id: number;
  user_pass: string;
  pass_frag: string;
  expiration: number;
  token: string;
  session_tokens_serialised: string;
  logged_in_cookie: string;
  auth_cookie: string;
  secure_auth_cookie: string;
  inner_key_logged_in_hmac_md5: string;
  tampered_validates: boolean;
  nonce_for_tick_80000: string;
}
type ByStatus = Record<string, boolean>;
interface CapabilityRow {
  wp_capabilities: string | null;
  can: Record<string, boolean>;
  own: Record<PostOperation, ByStatus>;
  others: Record<PostOperation, ByStatus>;
}
interface AuthVectors {
  user_password_checks: PasswordRow[];
  wp_bcrypt_prehash: {
    password: string;
    sha384_hmac_base64_of_trimmed: string;
    sha384_hmac_base64_untrimmed: string;
  }[];
  application_password_checks: ApplicationPasswordRow[];
  fast_hash_internals: { vectors: { message: string; hash: string }[] };
  basic_header: { header: string; user?: string; password?: string | null; attempted: boolean }[];
  cookie_auth: {
    secrets: Record<SecretName, string>;
    siteurl: string;
    cookie_names: Record<keyof typeof COOKIE_PREFIXES, string>;
    hmac_salt_strings: Record<SecretScheme, string>;
    cases: CookieRow[];
    anonymous_nonce: { tick: number; nonce: string };
    nonce_live_check: { unix_time: number; tick: number };
  };
  capabilities: { roles_option_serialised_after_plugin_activation: string; cases: CapabilityRow[] };
  php_serialise: { php?: string; serialised: string; value?: string }[];
  application_passwords_usermeta_sample: { plaintext: string; chunked: string; serialised: string };
}
const vectors = loadVectors<AuthVectors>('auth');

describe('passwords', () => {
  const checks: boolean[][] = [];
  const applicationChecks: boolean[][] = [];
  const pool = new HashPool(compiledWorker('auth/hash-worker'));
  const onThread = (job: HashJob) => pool.check(job);

  beforeAll(async () => {
    for (const { password, password_repeat: repeat, hash } of vectors.user_password_checks) {
      const text = password ?? repeat?.char.repeat(repeat.times) ?? '';
      const variants =
        repeat || text.length < 1 || hash.length < 30 ? [text] : [text, text.trim(), `${text}x`];
      const results = new Map<string, Promise<boolean>>();
      for (const variant of new Set(variants)) results.set(variant, checkPassword(variant, hash, onThread));
      checks.push(await Promise.all(variants.map((variant) => results.get(variant) ?? false)));
    }
    for (const { supplied, normalised, hash } of vectors.application_password_checks) {
      const variants = [normalised, supplied, normalised.toLowerCase()];
      applicationChecks.push(await Promise.all(variants.map((text) => checkApplicationPassword(text, hash))));
    }
  });

  proveVectors('user_password_checks', vectors.user_password_checks, (row, index) => ({
    expected: [row.check, row.check_trimmed, row.check_wrong].filter((one) => one !== undefined),
    actual: checks[index],
  }));

  proveVectors('wp_bcrypt_prehash', vectors.wp_bcrypt_prehash, (row) => ({
    expected: [row.sha384_hmac_base64_of_trimmed, row.sha384_hmac_base64_untrimmed],
    actual: [wpPrehash(row.password.trim()), wpPrehash(row.password)],
  }));

  proveVectors('application_password_checks', vectors.application_password_checks, (row, index) => ({
    expected: [row.check_normalised, row.check_supplied_raw, row.check_lowercased, row.normalised],
    actual: [...(applicationChecks[index] ?? []), normaliseApplicationPassword(row.supplied)],
  }));

  proveVectors('fast_hash_internals', vectors.fast_hash_internals.vectors, (row) => ({
    expected: row.hash,
    actual: fastHash(row.message),
  }));

  it('application_passwords_usermeta_sample: 1 vector', async () => {
    const { plaintext, chunked, serialised } = vectors.application_passwords_usermeta_sample;
    const [entry] = applicationPasswords(serialised);
    expect(normaliseApplicationPassword(chunked)).toBe(plaintext);
    expect(await checkApplicationPassword(plaintext, entry?.hash ?? '')).toBe(true);
    expect(canWriteBack(serialised)).toBe(true);
  });
});

describe('headers, cookies, nonces', () => {
  const { secrets, siteurl, hmac_salt_strings: salts } = vectors.cookie_auth;
  const parsed = (text: string) => parseLoginCookie(text) as LoginCookie;

  proveVectors('basic_header', vectors.basic_header, (row) => ({
    expected: row.attempted ? { login: row.user, password: row.password } : null,
    actual: parseBasicHeader(row.header),
  }));

  proveVectors('cookie_names', Object.entries(vectors.cookie_auth.cookie_names), ([scheme, name]) => ({
    expected: name,
    actual: cookieName(scheme as keyof typeof COOKIE_PREFIXES, siteurl),
  }));

  proveVectors('hmac_salt_strings', Object.entries(salts), ([scheme, secret]) => ({
    expected: secret,
    actual: secretOf(scheme as SecretScheme, secrets, new Map()),
  }));

  proveVectors('cookie_auth: signatures', vectors.cookie_auth.cases, (row) => {
    const cookie = parsed(row.logged_in_cookie);
    const tampered = row.logged_in_cookie.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    return {
      expected: [
        row.pass_frag,
        row.inner_key_logged_in_hmac_md5,
        true,
        true,
        true,
        row.tampered_validates,
        false,
      ],
      actual: [
        passwordFragment(row.user_pass),
        signingKey(cookie, row.user_pass, salts.logged_in),
        isSigned(cookie, row.user_pass, salts.logged_in),
        isSigned(parsed(row.auth_cookie), row.user_pass, salts.auth),
        isSigned(parsed(row.secure_auth_cookie), row.user_pass, salts.secure_auth),
        isSigned(parsed(tampered), row.user_pass, salts.logged_in),
        isSigned(cookie, row.user_pass, salts.auth),
      ],
    };
  });

  proveVectors('cookie_auth: sessions', vectors.cookie_auth.cases, (row) => {
    const { session_tokens_serialised: tokens, token, expiration } = row;
    return {
      expected: [true, false, false],
      actual: [
        hasSession(tokens, token, expiration),
        hasSession(tokens, token, expiration + 1),
        hasSession(tokens, `${token}x`, expiration),
      ],
    };
  });

  proveVectors('cookie_auth: nonces', vectors.cookie_auth.cases, (row) => ({
    expected: row.nonce_for_tick_80000,
    actual: createNonce(80_000, { userId: row.user_id, token: row.token, secret: salts.nonce }),
  }));

  it('anonymous nonces are valid for their tick of twelve hours and the next', () => {
    const { anonymous_nonce: anonymous, nonce_live_check: live } = vectors.cookie_auth;
    const owner = { userId: 0, token: '', secret: salts.nonce };
    const end = anonymous.tick * 43_200;
    const moments = [end - 43_200, end - 43_199, end, end + 43_200, end + 43_201];
    expect(createNonce(anonymous.tick, owner)).toBe(anonymous.nonce);
    expect(nonceTick(live.unix_time)).toBe(live.tick);
    expect(moments.map((now) => checkNonce(anonymous.nonce, now, owner))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  it('secrets come from options instead of sample phrases and shared constants', () => {
    const stored = new Map([
      ['logged_in_key', 'K'],
      ['logged_in_salt', 'S'],
    ]);
    expect(secretOf('logged_in', { LOGGED_IN_KEY: 'put your unique phrase here' }, stored)).toBe('KS');
    expect(secretOf('logged_in', { ...secrets, NONCE_KEY: secrets.LOGGED_IN_KEY }, stored)).toBe(
      `K${secrets.LOGGED_IN_SALT}`,
    );
    expect(secretOf('auth', {}, stored)).toBeUndefined();
  });
});

describe('capabilities', () => {
  const { cases, roles_option_serialised_after_plugin_activation: option } = vectors.capabilities;
  const roles = parseRoles(option);

  proveVectors('capabilities', cases, (row) => {
    const user = { id: 7, capabilities: capabilitiesOf(row.wp_capabilities ?? undefined, roles) };
    const access = accessOf(user);
    const rights = (author: number, recorded: Record<string, ByStatus>) =>
      Object.fromEntries(
        Object.entries(recorded).map(([operation, byStatus]) => [
          operation,
          Object.fromEntries(
            Object.keys(byStatus).map((status) => [
              status,
              access.may(operation as PostOperation, {
                id: 1,
                type: 'tribe_venue',
                author,
                status,
                meta: new Map(),
              }),
            ]),
          ),
        ]),
      );
    return {
      expected: [row.can, row.own, row.others],
      actual: [
        Object.fromEntries(Object.keys(row.can).map((name) => [name, can(user, name)])),
        rights(7, row.own),
        rights(8, row.others),
      ],
    };
  });
});

describe('php serialize', () => {
  const listed = [null, true, 42, 1.5, 'ä', ['x'], { k: 'v' }];
  proveVectors('php_serialise', vectors.php_serialise, (row) => {
    const value = unserialize(row.serialised);
    return {
      expected: [row.value ?? listed, row.serialised],
      actual: [toPlain(value ?? null), serialize(value ?? null)],
    };
  });

  it('serializes the roles option to the same bytes', () => {
    expect(canWriteBack(vectors.capabilities.roles_option_serialised_after_plugin_activation)).toBe(true);
  });
});
