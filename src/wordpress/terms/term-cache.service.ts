import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import { VersionedCache } from '../../cache/versioned-cache.js';
import { Database } from '../../database/database.js';
import { TableVersions } from '../../database/table-versions.service.js';
import { inList } from '../posts/post-rows.js';
import type { TermRecord } from './term-record.js';
import { TermsService } from './terms.service.js';

/** With more terms, or more characters of them, the database finds and sorts those of each post. */
const MAX_TERMS = 3000;
const MAX_CHARACTERS = 1_000_000;
/** Most combinations of taxonomies. */
const MAX_SIZE = 4;

/** A term and its position among all of its taxonomies, by name. */
interface PlacedTerm {
  place: number;
  term: TermRecord;
}

/** By `term_taxonomy_id`; undefined if there are too many. */
type AllTerms = ReadonlyMap<number, PlacedTerm> | undefined;

/** Terms of posts; from the second use without a change on, only the links of the posts are read. */
@Injectable()
export class TermCache {
  private readonly cache = new VersionedCache<string, AllTerms>({
    tables: ['terms', 'term_taxonomy'],
    maxSize: MAX_SIZE,
  });
  /** The taxonomies of the last use, and the version of their tables. */
  private lastUse = '';

  constructor(
    private readonly database: Database,
    private readonly terms: TermsService,
    private readonly versions: TableVersions,
  ) {}

  /** Terms of the posts, by post, in the order of their names. The objects are shared. */
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

  private async all(taxonomies: readonly string[]): Promise<AllTerms> {
    const snapshot = await this.versions.snapshot();
    if (!snapshot) return undefined;
    const key = taxonomies.join();
    const use = `${key} ${snapshot.version('terms', 'term_taxonomy')}`;
    const isSecond = use === this.lastUse;
    this.lastUse = use;
    return isSecond
      ? this.cache.get(key, snapshot, () => this.read(taxonomies))
      : this.cache.peek(key, snapshot);
  }

  private async read(taxonomies: readonly string[]): Promise<AllTerms> {
    const terms = await this.terms.firstByName(taxonomies, MAX_TERMS + 1);
    const characters = terms.reduce(
      (sum, { name, slug, description }) => sum + name.length + slug.length + description.length,
      0,
    );
    if (terms.length > MAX_TERMS || characters > MAX_CHARACTERS) return undefined;
    return new Map(terms.map((term, place) => [term.termTaxonomyId, { place, term }]));
  }
}
