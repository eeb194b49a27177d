import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import { TableVersions } from '../../database/table-versions.service.js';
import { Database } from '../../database/database.js';
import { inList } from '../posts/post-rows.js';
import type { TermRecord } from './term-record.js';
import { TermsService } from './terms.service.js';

/** Where there are more terms than these, or more characters of them, the database finds and sorts those of each post. */
const MAX_TERMS = 3000;
const MAX_CHARACTERS = 1_000_000;

/** A term and where it stands among all, by name. */
interface Placed {
  place: number;
  term: TermRecord;
}

/** All terms of some taxonomies by `term_taxonomy_id`; null where there are too many, absent until they are read. */
interface Kept {
  version: number;
  of: string;
  terms?: ReadonlyMap<number, Placed> | null;
}

/**
 * Reads the terms of posts; all terms of their taxonomies are kept until any term changes, so that only the links of the
 * posts are read. They are read when somebody asks for a second time without a change: who writes asks once each.
 */
@Injectable()
export class TermCache {
  private kept?: Kept;

  constructor(
    private readonly database: Database,
    private readonly terms: TermsService,
    private readonly changes: TableVersions,
  ) {}

  /** Terms of the posts, by post, in the order of their names. Others get the same objects. */
  async ofPosts(
    postIds: readonly number[],
    taxonomies: readonly string[],
  ): Promise<Map<number, TermRecord[]>> {
    const all = postIds.length > 0 && (await this.all(taxonomies));
    if (!all) return this.terms.ofPosts(postIds, taxonomies);
    const links = await this.database.query<{ postId: number; id: number }>(
      sql`SELECT r.object_id AS postId, r.term_taxonomy_id AS id
          FROM ${this.database.table('term_relationships')} r WHERE ${inList(sql`r.object_id`, postIds)}`,
    );
    const own = (postId: number) => {
      const ids = new Set(links.filter((link) => link.postId === postId).map(({ id }) => id));
      const placed = [...ids].flatMap((id) => all.get(id) ?? []);
      return placed.sort((a, b) => a.place - b.place).map(({ term }) => term);
    };
    return new Map(postIds.map((postId) => [postId, own(postId)]));
  }

  private async all(taxonomies: readonly string[]): Promise<Kept['terms']> {
    const version = (await this.changes.current())?.of('terms', 'term_taxonomy');
    if (version === undefined) return undefined;
    const of = taxonomies.join();
    const { kept } = this;
    if (kept?.version === version && kept.of === of) {
      if (kept.terms === undefined) kept.terms = await this.read(taxonomies);
      return kept.terms;
    }
    this.kept = { version, of };
    return undefined;
  }

  private async read(taxonomies: readonly string[]): Promise<ReadonlyMap<number, Placed> | null> {
    const terms = await this.terms.firstByName(taxonomies, MAX_TERMS + 1);
    const characters = terms.reduce(
      (sum, { name, slug, description }) => sum + name.length + slug.length + description.length,
      0,
    );
    if (terms.length > MAX_TERMS || characters > MAX_CHARACTERS) return null;
    return new Map(terms.map((term, place) => [term.termTaxonomyId, { place, term }]));
  }
}
