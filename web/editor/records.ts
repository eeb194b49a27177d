import type { AlmanacClient, Resource, Scope } from 'almanac-client';
import type { Kind, Row } from './model.js';

type Query = Readonly<Record<string, string | number | boolean>>;

/** Opens what a password locks, and brings texts as they are stored: what is shown would be stored as it was rendered. */
const TO_EDIT = { context: 'edit', _raw: true } as const;

/** One kind's records, whose fields are known by the table of forms alone. */
interface Records extends Pick<Resource<Row, Query, object, object>, 'list' | 'create' | 'update'> {
  /** One record as it is edited. */
  get(id: number, signal?: AbortSignal): Promise<Row>;
  /** Moves it to the trash, of one date of an event what `scope` says; terms are deleted for good. */
  remove(id: number, scope?: Scope): Promise<unknown>;
}

const isTerm = (kind: Kind): kind is 'categories' | 'tags' => kind === 'categories' || kind === 'tags';

/** The interface takes a layer of backslashes off texts of records, not of terms (W21): blocks are full of them. */
function keptWhole(kind: Kind, body: object): object {
  if (isTerm(kind)) return body;
  return JSON.parse(
    JSON.stringify(body, (_, value) => (typeof value === 'string' ? value.replaceAll('\\', '\\\\') : value)),
  );
}

/** The requests for one kind of record. */
export function recordsOf(client: AlmanacClient, kind: Kind): Records {
  const { list, get, create, update } = client[kind] as unknown as Resource<Row, Query, object, object>;
  const query = kind === 'events' ? { ...TO_EDIT, recurrence: true } : TO_EDIT;
  const one = (id: number, signal?: AbortSignal) =>
    get(id, { signal, query: isTerm(kind) ? undefined : query });
  return {
    list,
    create: (body) => create(keptWhole(kind, body)),
    update: (id, body) => update(id, keptWhole(kind, body)),
    get: async (id, signal) => {
      const row = await one(id, signal);
      const parent = Number(row['parent'] ?? 0);
      // Of the category above, only its number is said.
      return parent > 0 ? { ...row, parent_name: (await one(parent, signal))['name'] } : row;
    },
    remove: (id, scope) => (isTerm(kind) ? client[kind].remove(id) : client[kind].trash(id, { scope })),
  };
}
