import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import { noteChanges } from '../../../calendar/note-changes.js';
import { Database } from '../../../database/database.js';
import type { Transaction } from '../../../database/transactions.js';
import type { WriteContext } from '../../../http/request-context.js';
import { textOf } from '../../../lib/wordpress-text/php-serialize.js';
import { MetaWriter } from '../../../wordpress/posts/meta-writer.js';
import { firstMeta, type PostRecord } from '../../../wordpress/posts/post-record.js';
import { PostWriter } from '../../../wordpress/posts/post-writer.js';
import { TermWriter } from '../../../wordpress/terms/term-writer.js';
import { FieldRegistry } from '../../base/field-registry.js';
import { addOnColumns } from '../add-on-columns.js';
import type { EventDates } from '../event-dates.js';
import { writeDates } from '../event-meta.js';
import { EVENT } from '../event-type.js';
import { EventSeries, type SeriesChange } from './event-series.service.js';
import type { StoredRow } from './occurrence-rows.js';

/**
 * Metas of an event that was part of another one: the id of that one, the start that it had there, and how a restore from
 * the trash undoes the division (`formatUndo`).
 */
export const ORIGIN_META = {
  series: '_almanac_series',
  date: '_almanac_series_date',
  undo: '_almanac_series_undo',
} as const;

/** How a trashed part goes back to its event. */
export interface Undo {
  /** When it was trashed, as in the meta `_wp_trash_meta_time`. */
  trashedAt: string;
  seriesId: number;
  /** The lines before the event was split; none where one date was excluded. */
  lines: readonly string[];
}

export const formatUndo = ({ trashedAt, seriesId, lines }: Undo): string =>
  [trashedAt, seriesId, ...lines].join('\n');

export function parseUndo(text: string): Undo {
  const [trashedAt = '', seriesId, ...lines] = text.split('\n');
  return { trashedAt, seriesId: Number(seriesId), lines };
}

/** Metas of a post's own history, or that are written anew. */
const OWN_META =
  /^(?:_edit_|_wp_|_almanac_|_tribe_modified_fields$|_tribe_ignored_event_|_Event(?:StartDate|EndDate|StartDateUTC|EndDateUTC|Duration|TimezoneAbbr|Recurrence)$)/;

/** A part of a recurring event that becomes an event of its own. */
export interface SeriesPart {
  dates: EventDates;
  change: SeriesChange;
  /** The former rows of the dates. */
  rows: readonly StoredRow[];
  /** Of a part that goes to the trash. */
  undo?: Undo;
}

/** Makes parts of recurring events events of their own, with the content, terms and links of the whole. */
@Injectable()
export class SeriesCopy {
  constructor(
    private readonly database: Database,
    private readonly posts: PostWriter,
    private readonly terms: TermWriter,
    private readonly series: EventSeries,
    private readonly fields: FieldRegistry,
  ) {}

  /** Inserts the part as an event and returns its id. */
  async insert(
    transaction: Transaction,
    before: PostRecord,
    part: SeriesPart,
    context: WriteContext,
  ): Promise<number> {
    const { manager } = transaction;
    const posts = this.database.table('posts');
    const [{ comments } = { comments: 'closed' }] = await this.database.query<{ comments: string }>(
      sql`SELECT comment_status AS comments FROM ${posts} WHERE ID = ${before.id}`,
      manager,
    );
    const { title, content, excerpt, status, author, date, dateGmt, menuOrder, password, parent } = before;
    const post = { title, content, excerpt, status, author, date, dateGmt, menuOrder };
    const id = await this.posts.insert(
      transaction,
      { type: EVENT.type, ...post, slug: before.name, commentStatus: comments, mayPublish: true },
      context,
    );
    await this.database.query(
      sql`UPDATE ${posts} SET post_password = ${password}, post_parent = ${parent} WHERE ID = ${id}`,
      manager,
    );
    await this.insertMeta(transaction, id, before, part, context);
    for (const [taxonomy, ids] of await this.termsOf(transaction, before.id))
      await this.terms.assign(transaction, id, taxonomy, ids, true);
    await this.series.save(transaction, id, part.change, part.dates, { isNew: true, from: part.rows });
    await this.relate(transaction, before.id, id);
    return id;
  }

  private async insertMeta(
    { manager }: Transaction,
    id: number,
    before: PostRecord,
    { dates, change, undo }: SeriesPart,
    context: WriteContext,
  ): Promise<void> {
    const meta = MetaWriter.forNew(manager, id);
    const declared = [...this.fields.declaredOn(EVENT).values()];
    const unique = new Set(declared.flatMap((field) => (field.unique ? field.meta : [])));
    for (const { key, value } of before.metaRows ?? [])
      if (key !== null && !OWN_META.test(key) && !unique.has(key)) meta.add(key, textOf(value ?? ''));
    writeDates(meta, dates);
    meta.set('_EventTimezoneAbbr', dates.abbreviation);
    if (change !== 'single') this.series.writeMeta(meta, change);
    meta.set(ORIGIN_META.series, firstMeta(before, ORIGIN_META.series) ?? String(before.id));
    meta.set(ORIGIN_META.date, dates.start);
    if (undo) meta.set(ORIGIN_META.undo, formatUndo(undo));
    await noteChanges(meta, context).save();
  }

  private async termsOf({ manager }: Transaction, id: number): Promise<Map<string, number[]>> {
    const table = (name: string) => this.database.table(name);
    const rows = await this.database.query<{ taxonomy: string; id: number | string }>(
      sql`SELECT x.taxonomy AS taxonomy, x.term_id AS id FROM ${table('term_relationships')} r
          JOIN ${table('term_taxonomy')} x ON x.term_taxonomy_id = r.term_taxonomy_id
          WHERE r.object_id = ${id} ORDER BY r.term_order, r.term_taxonomy_id`,
      manager,
    );
    const found = new Map<string, number[]>();
    for (const row of rows) found.set(row.taxonomy, [...(found.get(row.taxonomy) ?? []), Number(row.id)]);
    return found;
  }

  /** The part belongs to the same series of the premium add-on, where there is such a table. */
  private async relate({ manager }: Transaction, from: number, to: number): Promise<void> {
    const columns = await addOnColumns(this.database, manager);
    if (!columns.has('tec_series_relationships.series_post_id')) return;
    const table = (name: string) => this.database.table(name);
    await this.database.query(
      sql`INSERT INTO ${table('tec_series_relationships')} (series_post_id, event_id, event_post_id)
          SELECT s.series_post_id, e.event_id, e.post_id FROM ${table('tec_series_relationships')} s
          JOIN ${table('tec_events')} e ON e.post_id = ${to} WHERE s.event_post_id = ${from}`,
      manager,
    );
  }
}
