import { createHash } from 'node:crypto';
import { Breather } from './breather.js';

/** Characters that are hashed in one go. */
const PIECE = 262_144;

/** A key of everything in a job, the same for equal jobs only; long texts are hashed in pieces, giving way in between. */
export async function textKey(name: string, input: object): Promise<string> {
  const hash = createHash('sha256').update(name);
  const breather = new Breather();
  const add = async (value: unknown): Promise<void> => {
    if (breather.isDue) await breather.pause();
    if (typeof value === 'string') {
      hash.update(`s${value.length}:`);
      for (let at = 0; at < value.length; at += PIECE) {
        if (breather.isDue) await breather.pause();
        // One byte per character would confuse texts, UTF-8 would confuse halves of characters.
        hash.update(value.slice(at, at + PIECE), 'utf16le');
      }
    } else if (value instanceof Uint8Array) {
      hash.update(`b${value.length}:`).update(value);
    } else if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value);
      hash.update(`o${entries.length}:`);
      for (const [key, member] of entries) {
        hash.update(`${key.length}:${key}`);
        await add(member);
      }
    } else {
      hash.update(`${typeof value}${String(value)};`);
    }
  };
  await add(input);
  return hash.digest('base64');
}
