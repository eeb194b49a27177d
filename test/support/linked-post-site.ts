import type { Caller } from './calendar-client.js';
import type { DatabaseName } from './sites.js';
import { openWriteFixture, type WriteFixture } from './write-fixture.js';

type Fields = Record<string, unknown>;

/** The properties of venues or organizers that the shared tests use. */
export interface LinkedPostResource {
  plural: 'venues' | 'organizers';
  word: 'venue' | 'organizer';
  /** Start of its meta keys. */
  prefix: '_Venue' | '_Organizer';
  /** Meta key of `website`. */
  websiteKey: string;
  linkKey: string;
  /** The text fields stored as meta. */
  texts: readonly string[];
}

/** Shortcuts to write one kind of record. */
export interface LinkedPostFixture extends WriteFixture {
  database: DatabaseName;
  /** Creates a record; fails unless it is accepted. Returns the response. */
  make(fields?: Fields, caller?: Caller): Promise<Fields & { id: number; slug: string }>;
  /** Updates a record; fails unless it is accepted. */
  change(path: string | number, fields: Fields, caller?: Caller): Promise<Fields>;
  /** The time of the last save, as PHP's caches read it. */
  lastSave(): Promise<unknown>;
}

let created = 0;
/** A unique name. */
export const unused = (word = 'Place'): string => `${word} number ${++created}`;

/** Declares the site of one block of tests. */
export function useLinkedPostSite(
  database: DatabaseName,
  { plural, word }: LinkedPostResource,
): () => LinkedPostFixture {
  let fixture: LinkedPostFixture;
  beforeAll(async () => {
    const opened = await openWriteFixture(database);
    const done = async (status: number, ...request: Parameters<WriteFixture['send']>) => {
      const reply = await opened.send(...request);
      if (reply.status !== status) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
      return reply.body;
    };
    fixture = {
      ...opened,
      database,
      make: async (fields = {}, caller = 'admin') => {
        const body = await done(201, caller, 'POST', `/${plural}`, { [word]: unused(), ...fields });
        return { ...body, id: Number(body['id']), slug: String(body['slug']) };
      },
      change: (path, fields, caller = 'admin') => done(200, caller, 'PUT', `/${plural}/${path}`, fields),
      lastSave: async () => {
        const [row] = await opened.ask(
          "SELECT option_value AS saved FROM wp_options WHERE option_name = 'tribe_last_save_post'",
        );
        return row?.['saved'];
      },
    };
  });
  afterAll(() => fixture?.close());
  return () => fixture;
}
