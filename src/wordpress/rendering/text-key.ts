import { createHash } from 'node:crypto';
import { EventLoopYielder } from '../../common/event-loop.js';

/** Characters that are hashed without yielding. */
const CHUNK_SIZE = 262_144;

/** The large members of a job. */
interface LargeMembers {
  text: string;
  attachments?: readonly Uint8Array[];
}

/** A hash of a whole job; long texts are hashed in chunks, yielding in between. */
export async function textKey(
  name: string,
  { text, attachments = [], ...small }: LargeMembers,
): Promise<string> {
  const sizes = [text.length, ...attachments.map(({ length }) => length)];
  const hash = createHash('sha256').update(JSON.stringify([name, small, sizes]));
  const yielder = new EventLoopYielder();
  for (let at = 0; at < text.length; at += CHUNK_SIZE) {
    if (yielder.shouldYield) await yielder.yield();
    // latin1 would lose characters, UTF-8 halves of surrogate pairs.
    hash.update(text.slice(at, at + CHUNK_SIZE), 'utf16le');
  }
  for (const bytes of attachments) {
    if (yielder.shouldYield) await yielder.yield();
    hash.update(bytes);
  }
  return hash.digest('base64');
}
