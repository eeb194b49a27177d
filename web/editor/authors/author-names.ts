import { useEffect, useState } from 'preact/hooks';
import type { Session } from '../session.js';
import { useShell } from '../shell.js';

/** Names of authors by id, as promises: each is requested once per session. */
const known = new WeakMap<Session, Map<number, Promise<string | undefined>>>();
/** Ids that the next request asks for. */
const waiting = new WeakMap<Session, { ids: Set<number>; names: Promise<ReadonlyMap<number, string>> }>();

/** The name of a user; undefined until it is known, and where the user is gone. */
export function useAuthorName(id: number): string | undefined {
  const { session } = useShell();
  const [found, setFound] = useState<{ id: number; name: string | undefined }>();
  useEffect(() => {
    if (!(id > 0)) return;
    let isCurrent = true;
    nameOf(session, id).then((name) => isCurrent && setFound({ id, name }));
    return () => {
      isCurrent = false;
    };
  }, [session, id]);
  return found?.id === id ? found.name : undefined;
}

function nameOf(session: Session, id: number): Promise<string | undefined> {
  const names = known.get(session) ?? new Map<number, Promise<string | undefined>>();
  known.set(session, names);
  const name =
    names.get(id) ??
    requested(session, id).catch(() => {
      names.delete(id);
      return undefined;
    });
  names.set(id, name);
  return name;
}

/** Requests the names of all rows of a list together. */
async function requested(session: Session, id: number): Promise<string | undefined> {
  const batch = waiting.get(session) ?? newBatch(session);
  batch.ids.add(id);
  return (await batch.names).get(id);
}

function newBatch(session: Session) {
  const ids = new Set<number>();
  const names = Promise.resolve().then(async () => {
    waiting.delete(session);
    const authors = await session.authors({ include: [...ids].join(), per_page: '100' });
    return new Map(authors.map(({ id, name }) => [id, name]));
  });
  const batch = { ids, names };
  waiting.set(session, batch);
  return batch;
}
