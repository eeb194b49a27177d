import type { Caller } from './calendar-client.js';
import type { WriteFixture } from './write-fixture.js';

/** A record of a list. */
export type Row = Record<string, unknown> & { id: number };

/** Reads that must succeed; `fixture` is set when they run. */
export function listReader(fixture: () => WriteFixture) {
  const get = async (path: string, caller: Caller = 'anonymous') => {
    const reply = await fixture().send(caller, 'GET', path);
    if (reply.status !== 200) throw new Error(`${path} ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply;
  };
  /** The records of a list. */
  const rowsOf = async (path: string, caller?: Caller) => {
    const { body } = await get(path, caller);
    return body[path.slice(1).split('?')[0] ?? ''] as Row[];
  };
  const idsOf = async (path: string, caller?: Caller) => (await rowsOf(path, caller)).map(({ id }) => id);
  return { get, rowsOf, idsOf };
}
