import { createHash, createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { argon2d, argon2i, argon2id } from '@noble/hashes/argon2.js';
import { compareSync, hashSync } from 'bcryptjs';

const ARGON2 =
  /^\$(argon2id|argon2i|argon2d)\$v=(16|19)\$m=(\d{1,9}),t=(\d{1,4}),p=(\d{1,3})\$([\w+/]{4,200})\$([\w+/]{6,200})$/;
const ARGON2_KINDS = { argon2d, argon2i, argon2id };
/** In KiB; more takes seconds in pure JavaScript, and a stored hash must not exhaust the process. */
const MAX_ARGON2_MEMORY = 256 * 1024;
const MAX_ARGON2_PASSES = 16;

/** Whether a password matches a slow hash; blocks, so it belongs on a worker thread. */
export function checkSlowHash(password: string, hash: string): boolean {
  if (hash.startsWith('$wp')) return checkBcrypt(wpPrehash(password), hash.slice(3));
  if (hash.startsWith('$P$')) return checkPhpass(password, hash);
  if (hash.startsWith('$argon2')) return checkArgon2(password, hash);
  return checkBcrypt(password, hash);
}

/** Creates the hash of an account's password since WordPress 6.8; blocks for a bcrypt of cost 10. */
export function makeWpHash(password: string): string {
  // PHP's prefix 2y equals 2b.
  return `$wp${hashSync(wpPrehash(password), 10).replace(/^\$2b/, '$$2y')}`;
}

/** The input of bcrypt in a `$wp` hash, a digest, as bcrypt ignores bytes after the 72nd. */
export function wpPrehash(password: string): string {
  return createHmac('sha384', 'wp-sha384').update(password, 'utf8').digest('base64');
}

function checkBcrypt(password: string, hash: string): boolean {
  return /^\$2[aby]\$(?:0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/.test(hash) && compareSync(password, hash);
}

function checkArgon2(password: string, hash: string): boolean {
  const [, kind, version, memory, passes, lanes, salt = '', digest = ''] = ARGON2.exec(hash) ?? [];
  const m = Number(memory);
  const t = Number(passes);
  const p = Number(lanes);
  if (kind === undefined || m > MAX_ARGON2_MEMORY || t > MAX_ARGON2_PASSES || t < 1 || p < 1 || m < 8 * p)
    return false;
  const stored = Buffer.from(digest, 'base64');
  const check = ARGON2_KINDS[kind as keyof typeof ARGON2_KINDS];
  const options = { m, t, p, version: Number(version), dkLen: stored.length, maxmem: 2 ** 32 - 1 };
  const computed = check(Buffer.from(password, 'utf8'), Buffer.from(salt, 'base64'), options);
  return timingSafeEqual(stored, computed);
}

const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Whether a password matches a portable phpass hash (`$P$`, cost, 8 characters of salt, 22 of digest); blocks for 2^cost MD5 rounds. */
function checkPhpass(password: string, hash: string): boolean {
  const rounds = ALPHABET.indexOf(hash.charAt(3));
  if (!hash.startsWith('$P$') || hash.length !== 34 || rounds < 7 || rounds > 30) return false;
  const computed = Buffer.from(phpass(password, hash.slice(0, 12), rounds));
  const stored = Buffer.from(hash);
  return stored.length === computed.length && timingSafeEqual(stored, computed);
}

/** Creates a portable phpass hash as WordPress before 6.8 does; blocks for 8192 MD5 rounds. */
export function makePhpass(password: string): string {
  const salt = Array.from({ length: 8 }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  return phpass(password, `$P$B${salt}`, ALPHABET.indexOf('B'));
}

/** `setting`: the head of a hash, up to the salt. */
function phpass(password: string, setting: string, rounds: number): string {
  const bytes = Buffer.from(password, 'utf8');
  let digest = md5(Buffer.from(setting.slice(4), 'utf8'), bytes);
  for (let round = 0; round < 2 ** rounds; round++) digest = md5(digest, bytes);
  return setting + encode(digest);
}

function md5(salt: Buffer, password: Buffer): Buffer {
  return createHash('md5').update(salt).update(password).digest();
}

/** Encodes in phpass's base64: groups of three bytes, six bits at a time from the low end. */
function encode(digest: Buffer): string {
  let text = '';
  for (let start = 0; start < digest.length; start += 3) {
    const group = digest.subarray(start, start + 3);
    const value = group.reduce((sum, byte, index) => sum | (byte << (8 * index)), 0);
    for (let index = 0; index <= group.length; index++) text += ALPHABET.charAt((value >> (6 * index)) & 63);
  }
  return text;
}
