import type { Caller } from './calendar-client.js';
import type { DatabaseName } from './sites.js';
import { openWriteFixture, type WriteFixture } from './write-fixture.js';

type Fields = Record<string, unknown>;

/** What the shared tests of writing venues or organizers need to know of them. */
export interface LinkedPostResource {
  plural: 'venues' | 'organizers';
  word: 'venue' | 'organizer';
  /** Start of its meta keys. */
  prefix: '_Venue' | '_Organizer';
  /** Meta key of `website`. */
  websiteKey: string;
  linkKey: string;
  /** Every text field that is kept as meta. */
  texts: readonly string[];
}

/** Short ways to write one kind of record. */
export interface LinkedPostGround extends WriteFixture {
  database: DatabaseName;
  /** Creates a record that must be taken; answers what came back. */
  make(fields?: Fields, caller?: Caller): Promise<Fields & { id: number; slug: string }>;
  /** Changes one that must take it. */
  change(path: string | number, fields: Fields, caller?: Caller): Promise<Fields>;
  /** When anything was saved last, as PHP's caches are told. */
  lastSave(): Promise<unknown>;
}

let made = 0;
/** A name that nobody else has. */
export const unused = (word = 'Place'): string => `${word} number ${++made}`;

/** Declares the site that the tests of one block share. */
export function useLinkedPostSite(
  database: DatabaseName,
  { plural, word }: LinkedPostResource,
): () => LinkedPostGround {
  let ground: LinkedPostGround;
  beforeAll(async () => {
    const opened = await openWriteFixture(database);
    const done = async (status: number, ...request: Parameters<WriteFixture['send']>) => {
      const reply = await opened.send(...request);
      if (reply.status !== status) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
      return reply.body;
    };
    ground = {
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
  afterAll(() => ground?.close());
  return () => ground;
}
