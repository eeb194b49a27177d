import { type AlmanacClient, etagOf, type Resource as Requests, type Scope } from 'almanac-client';
import { pluralOf, type Resource, type Row } from './model.js';

type Query = Readonly<Record<string, string | number | boolean>>;

type Posts = Requests<Row, Query, object, object> & Pick<AlmanacClient['events'], 'trash'>;

/** Opens what a password locks, and brings texts as they are stored: what is shown would be stored as it was rendered. */
const TO_EDIT = { context: 'edit', _raw: true } as const;

/** One kind's records, whose fields are known by the table of forms alone. */
interface Records extends Pick<Requests<Row, Query, object, object>, 'list' | 'create'> {
  /** Changes a record; with `read`, the record as it was read, only if it has not changed since (412). */
  update(id: number, body: object, read?: Row): Promise<Row>;
  /** One record as it is edited. */
  get(id: number, signal?: AbortSignal): Promise<Row>;
  /** One record as all may see it, also who may not edit it. */
  read(id: number, signal?: AbortSignal): Promise<Row>;
  /** Moves it to the trash, of one date of an event what `scope` says; terms are deleted for good. */
  remove(id: number, scope?: Scope): Promise<unknown>;
}

/** The interface takes a layer of backslashes off texts of posts (W21): blocks are full of them. */
export function keptWhole<Sent>(sent: Sent): Sent {
  return JSON.parse(
    JSON.stringify(sent, (_, value) => (typeof value === 'string' ? value.replaceAll('\\', '\\\\') : value)),
  );
}

/** The requests for one kind of record. */
export function recordsOf(client: AlmanacClient, resource: Resource): Records {
  const { kind, isTerm } = resource;
  // Events know of a scope; others are sent none.
  const requests = client.resource(kind, pluralOf(resource)) as unknown as Posts;
  const { list, get, create, update } = requests;
  const query = kind === 'events' ? { ...TO_EDIT, recurrence: true } : TO_EDIT;
  const one = (id: number, signal?: AbortSignal) => get(id, { signal, query: isTerm ? undefined : query });
  return {
    list,
    create: (body) => create(isTerm ? body : keptWhole(body)),
    update: (id, body, read) =>
      update(id, isTerm ? body : keptWhole(body), { ifMatch: read && etagOf(read) }),
    get: async (id, signal) => {
      const row = await one(id, signal);
      const parent = isTerm ? Number(row['parent'] ?? 0) : 0;
      // Of the category above, only its number is said.
      return parent > 0 ? { ...row, parent_name: (await one(parent, signal))['name'] } : row;
    },
    read: (id, signal) => get(id, { signal }),
    remove: (id, scope) => requests.trash(id, { scope }),
  };
}
