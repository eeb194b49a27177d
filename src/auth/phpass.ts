import { createHash, randomInt, timingSafeEqual } from 'node:crypto';

const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Whether a password matches a portable phpass hash (`$P$`, cost, 8 characters of salt, 22 of digest); blocks for 2^cost MD5 rounds. */
export function checkPhpass(password: string, hash: string): boolean {
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
