import { type Connection, createConnection } from 'mysql2/promise';
import { Instants } from './instants.js';
import type { SeededRandom } from './unusual-values.js';

export const YEAR = 2077;
const AWAY = 2079;
const STATUSES = ['draft', 'private', 'trash', 'pending', 'future'];

/** An event as raw SQL left it. */
export interface StoredEvent {
  id: number;
  slug: string;
  exists: boolean;
  status: string;
  type: string;
  password: string;
  title: string;
  text: string;
  hidden: boolean;
  year: number;
  website: string;
  venue: number;
  terms: Set<number>;
}

/** Everything that writers change and readers look for. */
export interface World {
  events: StoredEvent[];
  venues: Map<number, { title: string; isOpen: boolean }>;
  terms: Map<number, string>;
  file: string;
  home: string;
  /** Whether the subscriber was made an editor. */
  isEditor: boolean;
  /** Whether there is a role of administrators; the contributor is one. */
  hasRoles: boolean;
}

/** What an answer to anybody may show of some events, fact by fact. */
export function factsOf(events: readonly StoredEvent[], world: World): Map<string, string> {
  const facts = new Map<string, string>();
  const note = (name: string, value: unknown) => facts.set(name, String(value));
  for (const event of events) {
    const isOpen = event.exists && event.status === 'publish' && event.type === 'tribe_events';
    const isListed = isOpen && !event.hidden && event.year === YEAR;
    note(`open alone ${event.id}`, isOpen && event.password === '');
    note(`listed ${event.id}`, isListed);
    for (const term of world.terms.keys())
      note(`listed ${event.id} of term ${term}`, isListed && event.terms.has(term));
    for (const venue of world.venues.keys())
      note(`listed ${event.id} of venue ${venue}`, isListed && event.venue === venue);
    note(`title ${event.id}`, event.title);
    note(`text ${event.id}`, event.password === '' ? event.text : 'closed');
    note(`website ${event.id}`, event.website);
    note(`venue ${event.id}`, event.venue);
    note(`terms ${event.id}`, [...event.terms].sort());
  }
  return facts;
}

/** The same of everything else. */
export function otherFacts(world: World): Map<string, string> {
  const facts = new Map<string, string>();
  const note = (name: string, value: unknown) => facts.set(name, String(value));
  for (const [id, { title, isOpen }] of world.venues) {
    note(`title ${id}`, title);
    note(`open ${id}`, isOpen);
  }
  for (const [id, name] of world.terms) note(`term ${id}`, name);
  note('file', world.file);
  note('home', world.home);
  note('may read drafts as subscriber', world.isEditor);
  note('may read drafts as contributor', world.hasRoles);
  return facts;
}

type Statement = readonly [sql: string, values: readonly unknown[]];
type Change = () => Statement[];

/** Writes at random what PHP, an admin page or somebody at a prompt might write, and notes when it was committed. */
export class SecondWriter {
  /** Commits so far. */
  commits = 0;
  private number = 0;

  private constructor(
    private readonly connection: Connection,
    private readonly world: World,
    private readonly moments: Instants,
    private readonly dice: SeededRandom,
    private readonly ownEvents: readonly StoredEvent[],
    private readonly isAlone: boolean,
  ) {}

  /** `mine`: the events that it alone changes; `isAlone`: whether it changes venues, terms, options and users too. */
  static async on(
    url: string,
    world: World,
    moments: Instants,
    dice: SeededRandom,
    { ownEvents, isAlone }: { ownEvents: readonly StoredEvent[]; isAlone: boolean },
  ): Promise<SecondWriter> {
    const connection = await createConnection({ uri: url, charset: 'utf8mb4' });
    await connection.query("SET SESSION sql_mode = ''");
    return new SecondWriter(connection, world, moments, dice, ownEvents, isAlone);
  }

  /** One transaction of some changes, which stays open for some milliseconds; every tenth is rolled back if `wavers`. */
  async write(changes: number, open = 0, rollsBack = false): Promise<void> {
    const before = structuredClone(this.ownEvents);
    await this.connection.beginTransaction();
    for (let count = 0; count < changes; count++)
      for (const [text, values] of this.dice.pick(this.changes())())
        await this.connection.query(text, [...values]);
    if (open > 0) await new Promise((resolve) => setTimeout(resolve, open));
    if (rollsBack && this.dice.roll(10) === 0) {
      await this.connection.rollback();
      for (const [at, event] of this.ownEvents.entries()) Object.assign(event, before[at]);
      return;
    }
    const committed = this.moments.announce(factsOf(this.ownEvents, this.world));
    const othersToo = this.moments.announce(this.isAlone ? otherFacts(this.world) : new Map());
    await this.connection.commit();
    committed();
    othersToo();
    this.commits += 1;
  }

  close(): Promise<void> {
    return this.connection.end();
  }

  private changes(): Change[] {
    const event = this.dice.pick(this.ownEvents);
    const one = (text: string, ...values: unknown[]): Statement[] => [[text, values]];
    const post = (column: string, value: string) =>
      one(`UPDATE wp_posts SET ${column} = ? WHERE ID = ?`, value, event.id);
    const meta = (key: string, value: unknown) =>
      one(
        'UPDATE wp_postmeta SET meta_value = ? WHERE post_id = ? AND meta_key = ?',
        String(value),
        event.id,
        key,
      );
    const fresh = (word: string) => `${word} ${event.id}x${++this.number}x`;
    const set = <Name extends 'title' | 'text' | 'status' | 'type' | 'password' | 'website' | 'venue'>(
      name: Name,
      value: StoredEvent[Name],
    ): StoredEvent[Name] => Object.assign(event, { [name]: value })[name];
    const isOpen = event.status === 'publish';
    const ofEvent: Change[] = [
      () => post('post_title', set('title', fresh('Title'))),
      () => post('post_title', set('title', fresh('Title'))),
      () => post('post_content', set('text', fresh('Text'))),
      () => post('post_status', set('status', isOpen ? this.dice.pick(STATUSES) : 'publish')),
      () => post('post_status', set('status', 'publish')),
      () => post('post_type', set('type', event.type === 'post' ? 'tribe_events' : 'post')),
      () => post('post_password', set('password', event.password === '' ? 'secret' : '')),
      () => meta('_EventURL', set('website', `https://site.example/${event.id}x${++this.number}x`)),
      () => meta('_EventVenueID', set('venue', this.dice.pick([...this.world.venues.keys()].slice(1)))),
      () => {
        event.hidden = !event.hidden;
        return event.hidden
          ? one(
              "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, '_EventHideFromUpcoming', 'yes')",
              event.id,
            )
          : one(
              "DELETE FROM wp_postmeta WHERE post_id = ? AND meta_key = '_EventHideFromUpcoming'",
              event.id,
            );
      },
      () => {
        event.year = event.year === YEAR ? AWAY : YEAR;
        const moved = ['start_date', 'end_date', 'start_date_utc', 'end_date_utc'].map(
          (column) => `${column} = CONCAT('${event.year}', SUBSTR(${column}, 5))`,
        );
        return one(`UPDATE wp_tec_occurrences SET ${moved} WHERE post_id = ?`, event.id);
      },
      () => {
        const term = this.dice.pick([...this.world.terms.keys()]);
        if (event.terms.delete(term))
          return one(
            'DELETE FROM wp_term_relationships WHERE object_id = ? AND term_taxonomy_id = ?',
            event.id,
            term,
          );
        event.terms.add(term);
        return one(
          'INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (?, ?)',
          event.id,
          term,
        );
      },
      () => {
        event.exists = !event.exists;
        if (!event.exists) return one('DELETE FROM wp_posts WHERE ID = ?', event.id);
        const { title, text, status, type, password } = event;
        return [
          ['INSERT INTO wp_posts SELECT * FROM parked WHERE ID = ?', [event.id]],
          [
            'UPDATE wp_posts SET post_title = ?, post_content = ?, post_status = ?, post_type = ?, post_password = ? WHERE ID = ?',
            [title, text, status, type, password, event.id],
          ],
        ];
      },
    ];
    // What is gone is put back before anything else is done with it.
    if (!event.exists) return ofEvent.slice(-1);
    return this.isAlone && this.dice.roll(3) === 0 ? this.changesOfOthers() : ofEvent;
  }

  private changesOfOthers(): Change[] {
    const { world, dice } = this;
    const [venueId] = dice.pick([...world.venues]);
    const venue = world.venues.get(venueId) as { title: string; isOpen: boolean };
    const [term] = dice.pick([...world.terms]);
    const roles =
      "UPDATE wp_options SET option_value = REPLACE(option_value, ?, ?) WHERE option_name = 'wp_user_roles'";
    const role = (isEditor: boolean) =>
      isEditor ? 'a:1:{s:6:"editor";b:1;}' : 'a:1:{s:10:"subscriber";b:1;}';
    return [
      () => {
        venue.title = `Hall x${++this.number}x`;
        return [['UPDATE wp_posts SET post_title = ? WHERE ID = ?', [venue.title, venueId]]];
      },
      () => {
        // The first venue is the one that comes and goes; no event is there.
        const [first = 0] = world.venues.keys();
        const coming = world.venues.get(first) as { isOpen: boolean };
        coming.isOpen = !coming.isOpen;
        return [
          ['UPDATE wp_posts SET post_status = ? WHERE ID = ?', [coming.isOpen ? 'publish' : 'draft', first]],
        ];
      },
      () => {
        world.terms.set(term, `Term x${++this.number}x`);
        return [['UPDATE wp_terms SET name = ? WHERE term_id = ?', [world.terms.get(term), term]]];
      },
      () => {
        world.file = `2093/01/x${++this.number}x.jpg`;
        return [
          [
            "UPDATE wp_postmeta SET meta_value = ? WHERE meta_key = '_wp_attached_file' AND post_id = 4",
            [world.file],
          ],
        ];
      },
      () => {
        world.home = `http://home${++this.number}.example`;
        return [["UPDATE wp_options SET option_value = ? WHERE option_name = 'home'", [world.home]]];
      },
      () => {
        world.isEditor = !world.isEditor;
        const user = 'UPDATE wp_usermeta SET meta_value = ? WHERE user_id = 5 AND meta_key = ?';
        return [[user, [role(world.isEditor), 'wp_capabilities']]];
      },
      () => {
        world.hasRoles = !world.hasRoles;
        const names = ['s:13:"administrator"', 's:13:"nobody_at_all"'];
        return [[roles, world.hasRoles ? names.reverse() : names]];
      },
    ];
  }
}
