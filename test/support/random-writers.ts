import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { toStoredUtc } from '../../src/lib/wordpress-text/dates/convert.js';
import { type Reply, request } from './calendar-client.js';
import type { SeededRandom } from './unusual-values.js';

/** Runs a statement; returns rows, or the id of the inserted row. */
export interface Sql {
  rows(statement: string, ...values: (string | number)[]): Promise<Record<string, unknown>[]>;
  insert(statement: string, ...values: (string | number)[]): Promise<number>;
}

const ZONE = 'America/New_York';
const TAXONOMIES = ['tribe_events_cat', 'post_tag'] as const;
const TYPES = ['tribe_events', 'tribe_venue', 'tribe_organizer'] as const;

/** Writes records at random through the interface; a server that is away or busy is asked again. */
export class ApiWriter {
  private number = 0;
  /** Ids of own records by path. */
  private readonly ids: Record<string, number[]> = {
    events: [],
    venues: [],
    organizers: [],
    categories: [],
    tags: [],
  };
  /** How many writes were stored; others name records that another writer has removed. */
  written = 0;
  /** The statuses of all responses. */
  readonly statuses = new Set<number>();

  constructor(
    private readonly name: string,
    private readonly url: string,
    private readonly credentials: Record<string, string>,
    private readonly random: SeededRandom,
  ) {}

  /** Changes one record. */
  async write(): Promise<void> {
    const { random } = this;
    const path = random.pick(['events', 'events', 'events', 'venues', 'organizers', 'categories', 'tags']);
    const known = this.ids[path] ?? [];
    const isTerm = path === 'categories' || path === 'tags';
    const at = random.roll(known.length);
    const id = known[at];
    const what = id === undefined ? 0 : random.roll(10);
    if (what < 3 || id === undefined) {
      const { status, body } = await this.send('POST', `/${path}`, this.fieldsOf(path));
      if (status === 201) known.push(Number(body['id']));
    } else if (what < 8) await this.send('PUT', `/${path}/${id}`, this.changesOf(path));
    else {
      await this.send('DELETE', `/${path}/${id}`);
      if (isTerm || random.roll(2) === 0) known.splice(at, 1);
      else await this.send('PUT', `/${path}/${id}`, { status: 'publish' });
    }
  }

  private fieldsOf(path: string): Record<string, unknown> {
    const { random } = this;
    const title = this.title();
    if (path === 'venues') return { venue: title, city: random.pick(['Bremen', 'Kiel']) };
    if (path === 'organizers') return { organizer: title };
    if (path === 'categories' || path === 'tags') return { name: title };
    return {
      title,
      status: random.pick(['publish', 'publish', 'publish', 'draft', 'private']),
      description: `Text of ${title}`,
      ...this.dates(),
      ...this.links(),
      ...(random.roll(8) === 0 && { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] }),
    };
  }

  private changesOf(path: string): Record<string, unknown> {
    const { random } = this;
    if (path !== 'events') {
      const { status: _, ...fields } = this.fieldsOf(path);
      return fields;
    }
    return random.pick([
      { title: this.title() },
      this.dates(),
      this.links(),
      { status: random.pick(['publish', 'draft', 'private']) },
      { description: `Another text ${this.number}`, featured: random.roll(2) === 0 },
    ]);
  }

  private dates(): Record<string, string> {
    const day = String(1 + this.random.roll(28)).padStart(2, '0');
    return {
      start_date: `2091-0${1 + this.random.roll(9)}-${day} 10:00:00`,
      end_date: `2091-12-${day} 12:00:00`,
    };
  }

  private links(): Record<string, unknown> {
    const some = (path: string) => this.random.some(this.random.roll(3), this.ids[path] ?? []);
    const [venue] = some('venues');
    return {
      categories: some('categories'),
      tags: some('tags'),
      organizer: some('organizers').map((id) => ({ id })),
      ...(venue !== undefined && { venue: { id: venue } }),
    };
  }

  private title = (): string => `${this.name} ${++this.number}`;

  private async send(method: string, path: string, body?: object): Promise<Reply> {
    for (;;) {
      const reply = await request(this.url, method, path, this.credentials, body).catch(() => undefined);
      if (reply && reply.status < 500) {
        this.statuses.add(reply.status);
        if (reply.status < 300) this.written += 1;
        return reply;
      }
      await sleep(50);
    }
  }
}

/** Writes records at random by plain statements, as PHP does: without the write lock, a row at a time. */
export class SqlWriter {
  private number = 0;

  constructor(
    private readonly sql: Sql,
    private readonly random: SeededRandom,
  ) {}

  /** Changes one record; a statement that meets a conflict is repeated. */
  async write(): Promise<void> {
    const { random } = this;
    const change = random.pick([
      () => this.insertEvent(),
      () => this.insertEvent(),
      () => this.changePost(),
      () => this.changePost(),
      () => this.changePost(),
      () => this.changeMeta(),
      () => this.moveDates(),
      () => this.changeTerms(),
      () => this.changeTerms(),
      () => this.renameTerm(),
      () => this.insertTerm(),
      () => this.deletePost(),
      () => (random.roll(4) === 0 ? this.deleteTerm() : this.renameTerm()),
    ]);
    await change();
  }

  private async run(statement: string, ...values: (string | number)[]): Promise<Record<string, unknown>[]> {
    return this.repeated(() => this.sql.rows(statement, ...values));
  }

  private async insert(statement: string, ...values: (string | number)[]): Promise<number> {
    return this.repeated(() => this.sql.insert(statement, ...values));
  }

  private async repeated<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++)
      try {
        return await work();
      } catch (error) {
        if (attempt > 200) throw error;
        await sleep(10 + attempt);
      }
  }

  private async anyId(type: string): Promise<number> {
    const rows = await this.run('SELECT ID AS id FROM wp_posts WHERE post_type = ? ORDER BY ID', type);
    return Number(this.random.pick(rows)?.['id'] ?? 0);
  }

  private async anyTerm(): Promise<Record<string, number>> {
    const taxonomy = this.random.pick(TAXONOMIES);
    const rows = await this.run(
      'SELECT term_id, term_taxonomy_id FROM wp_term_taxonomy WHERE taxonomy = ?',
      taxonomy,
    );
    return (this.random.pick(rows) ?? {}) as Record<string, number>;
  }

  private title = (): string => `By SQL ${++this.number}`;

  private async insertEvent(): Promise<void> {
    const title = this.title();
    const slug = `by-sql-${this.number}`;
    const id = await this.insert(
      `INSERT INTO wp_posts (post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, post_status, comment_status,
        ping_status, post_password, post_name, to_ping, pinged, post_modified, post_modified_gmt, post_content_filtered, post_parent,
        guid, menu_order, post_type, post_mime_type, comment_count)
       VALUES (1, '2026-01-01 00:00:00', '2026-01-01 05:00:00', 'Text', ?, '', ?, 'open', 'open', '', ?, '', '',
        '2026-01-01 00:00:00', '2026-01-01 05:00:00', '', 0, '', 0, 'tribe_events', '', 0)`,
      title,
      this.random.pick(['publish', 'publish', 'draft']),
      slug,
    );
    const [start, end] = this.dates();
    const meta = {
      _EventStartDate: start,
      _EventEndDate: end,
      _EventStartDateUTC: toStoredUtc(start, ZONE),
      _EventEndDateUTC: toStoredUtc(end, ZONE),
      _EventTimezone: ZONE,
    };
    for (const [key, value] of Object.entries(meta))
      await this.insert(
        'INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, ?, ?)',
        id,
        key,
        String(value),
      );
    const event = await this.insert(
      `INSERT INTO wp_tec_events (post_id, start_date, end_date, timezone, start_date_utc, end_date_utc, duration, hash)
       VALUES (?, ?, ?, ?, ?, ?, 7200, '')`,
      id,
      start,
      end,
      ZONE,
      toStoredUtc(start, ZONE) ?? '',
      toStoredUtc(end, ZONE) ?? '',
    );
    await this.insert(
      `INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, end_date, start_date_utc, end_date_utc, duration, hash)
       VALUES (?, ?, ?, ?, ?, ?, 7200, ?)`,
      event,
      id,
      start,
      end,
      toStoredUtc(start, ZONE) ?? '',
      toStoredUtc(end, ZONE) ?? '',
      hash('sha1', `sql ${id}`),
    );
  }

  private dates(): [string, string] {
    const day = `2090-0${1 + this.random.roll(9)}-${10 + this.random.roll(18)}`;
    return [`${day} 18:00:00`, `${day} 20:00:00`];
  }

  private async changePost(): Promise<void> {
    const id = await this.anyId(this.random.pick(TYPES));
    const [column, value] = this.random.pick([
      ['post_title', this.title()],
      ['post_content', `Changed ${this.number}`],
      ['post_status', this.random.pick(['publish', 'publish', 'draft', 'trash'])],
      ['post_password', this.random.pick(['', 'secret'])],
    ]) as [string, string];
    await this.run(`UPDATE wp_posts SET ${column} = ? WHERE ID = ?`, value, id);
  }

  private async changeMeta(): Promise<void> {
    const [type, key] = this.random.pick([
      ['tribe_events', '_EventURL'],
      ['tribe_venue', '_VenueCity'],
      ['tribe_organizer', '_OrganizerPhone'],
    ]) as [string, string];
    const id = await this.anyId(type);
    await this.run('DELETE FROM wp_postmeta WHERE post_id = ? AND meta_key = ?', id, key);
    await this.insert(
      'INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, ?, ?)',
      id,
      key,
      `example.org/${++this.number}`,
    );
  }

  private async moveDates(): Promise<void> {
    const id = await this.anyId('tribe_events');
    const [start] = this.dates();
    const utc = toStoredUtc(start, ZONE) ?? '';
    for (const [key, value] of [
      ['_EventStartDate', start],
      ['_EventStartDateUTC', utc],
    ] as const)
      await this.run(
        'UPDATE wp_postmeta SET meta_value = ? WHERE post_id = ? AND meta_key = ?',
        value,
        id,
        key,
      );
    await this.run(
      'UPDATE wp_tec_events SET start_date = ?, start_date_utc = ? WHERE post_id = ?',
      start,
      utc,
      id,
    );
  }

  private async changeTerms(): Promise<void> {
    const id = await this.anyId('tribe_events');
    const { term_taxonomy_id: term = 0 } = await this.anyTerm();
    if (term === 0) return;
    const rows = await this.run(
      'SELECT 1 FROM wp_term_relationships WHERE object_id = ? AND term_taxonomy_id = ?',
      id,
      term,
    );
    if (rows.length > 0)
      await this.run(
        'DELETE FROM wp_term_relationships WHERE object_id = ? AND term_taxonomy_id = ?',
        id,
        term,
      );
    else
      await this.insert(
        'INSERT INTO wp_term_relationships (object_id, term_taxonomy_id, term_order) VALUES (?, ?, 0)',
        id,
        term,
      );
  }

  private async renameTerm(): Promise<void> {
    const { term_id: term = 0 } = await this.anyTerm();
    await this.run('UPDATE wp_terms SET name = ? WHERE term_id = ?', this.title(), term);
  }

  private async insertTerm(): Promise<void> {
    const name = this.title();
    const term = await this.insert(
      'INSERT INTO wp_terms (name, slug, term_group) VALUES (?, ?, 0)',
      name,
      `term-by-sql-${this.number}`,
    );
    await this.insert(
      "INSERT INTO wp_term_taxonomy (term_id, taxonomy, description, parent, count) VALUES (?, ?, '', 0, 0)",
      term,
      this.random.pick(TAXONOMIES),
    );
  }

  private async deleteTerm(): Promise<void> {
    const { term_id: term = 0, term_taxonomy_id: place = 0 } = await this.anyTerm();
    const [below] = await this.run('SELECT 1 FROM wp_term_taxonomy WHERE parent = ?', term);
    if (below) return;
    await this.run('DELETE FROM wp_term_relationships WHERE term_taxonomy_id = ?', place);
    await this.run('DELETE FROM wp_term_taxonomy WHERE term_taxonomy_id = ?', place);
    await this.run('DELETE FROM wp_terms WHERE term_id = ?', term);
  }

  private async deletePost(): Promise<void> {
    const id = await this.anyId(this.random.pick(TYPES));
    for (const [table, column] of [
      ['wp_term_relationships', 'object_id'],
      ['wp_postmeta', 'post_id'],
      ['wp_tec_occurrences', 'post_id'],
      ['wp_tec_events', 'post_id'],
      ['wp_posts', 'ID'],
    ])
      await this.run(`DELETE FROM ${table} WHERE ${column} = ?`, id);
  }
}
