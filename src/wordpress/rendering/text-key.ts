import { createHash } from 'node:crypto';
import { EventLoopYielder } from '../../common/event-loop.js';

/** Characters that are hashed in one go. */
const PIECE = 262_144;

/** The large members of a job; all others are small. */
interface LargeMembers {
  text: string;
  attachments?: readonly Uint8Array[];
}

/** A key of everything in a job, the same for equal jobs only; long texts are hashed in pieces, giving way in between. */
export async function textKey(
  name: string,
  { text, attachments = [], ...small }: LargeMembers,
): Promise<string> {
  const sizes = [text.length, ...attachments.map(({ length }) => length)];
  const hash = createHash('sha256').update(JSON.stringify([name, small, sizes]));
  const breather = new EventLoopYielder();
  for (let at = 0; at < text.length; at += PIECE) {
    if (breather.shouldYield) await breather.yield();
    // One byte per character would confuse texts, UTF-8 would confuse halves of characters.
    hash.update(text.slice(at, at + PIECE), 'utf16le');
  }
  for (const bytes of attachments) {
    if (breather.shouldYield) await breather.yield();
    hash.update(bytes);
  }
  return hash.digest('base64');
}
