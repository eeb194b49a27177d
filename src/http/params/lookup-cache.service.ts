import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { TableVersions } from '../../database/table-versions.service.js';
import { type PostIdentity, PostsService } from '../../wordpress/posts/posts.service.js';
import type { TermRecord } from '../../wordpress/terms/term-record.js';
import { TermsService } from '../../wordpress/terms/terms.service.js';

/** Characters of all that is kept, about. */
const MAX_ENTRIES = 2_000_000;
/** Characters that a row takes beside its texts, about. */
const OVERHEAD = 400;

interface Kept {
  version: number;
  post?: PostIdentity;
  terms?: readonly TermRecord[];
}

/**
 * What filters of lists name again and again: posts by id, terms by id or slug, trees of terms. Kept until a row of their
 * tables changes (docs/behaviour/caching.md#what-filters-name), and only what is there: made-up names fill nothing.
 */
@Injectable()
export class LookupCache {
  private readonly kept = new LRUCache<string, Kept>({
    maxSize: MAX_ENTRIES,
    maxEntrySize: MAX_ENTRIES / 4,
    sizeCalculation: ({ terms = [] }) => terms.reduce((sum, term) => sum + sizeOf(term), OVERHEAD),
  });

  constructor(
    private readonly posts: PostsService,
    private readonly terms: TermsService,
    private readonly changes: TableVersions,
  ) {}

  /** A post that is kept; undefined where it has to be read. */
  async post(id: number): Promise<PostIdentity | undefined> {
    return this.known(postKey(id), await this.version('posts'))?.post;
  }

  /** Reads posts, and keeps those that are there. */
  async identities(ids: readonly number[]): Promise<PostIdentity[]> {
    const version = await this.version('posts');
    const found = await this.posts.identities(ids);
    if (version !== undefined) for (const post of found) this.kept.set(postKey(post.id), { version, post });
    return found;
  }

  /** Every term of a taxonomy. */
  async all(taxonomy: string): Promise<readonly TermRecord[]> {
    const read = async () => [...(await this.terms.all(taxonomy)).values()];
    return this.termsBy(`all ${taxonomy}`, read, () => true);
  }

  /** Terms of a taxonomy that some of the items name, by id, slug or name. */
  async named(taxonomy: string, items: readonly string[], locale: string): Promise<readonly TermRecord[]> {
    const [item] = items;
    // There are as many of these as there are terms, while lists and spellings have no end.
    const isOwn = ({ id, slug }: TermRecord) => item === String(id) || item === slug;
    return this.termsBy(
      `named ${taxonomy} ${locale} ${item}`,
      () => this.terms.named(taxonomy, items, locale),
      (found) => items.length === 1 && found.some(isOwn),
      items.length === 1,
    );
  }

  private async termsBy(
    key: string,
    read: () => Promise<readonly TermRecord[]>,
    mayKeep: (found: readonly TermRecord[]) => boolean,
    mayKnow = true,
  ): Promise<readonly TermRecord[]> {
    const version = await this.version('terms', 'term_taxonomy');
    const known = mayKnow ? this.known(key, version)?.terms : undefined;
    if (known) return known;
    const terms = await read();
    if (version !== undefined && mayKeep(terms)) this.kept.set(key, { version, terms });
    return terms;
  }

  private known(key: string, version: number | undefined): Kept | undefined {
    const kept = version === undefined ? undefined : this.kept.get(key);
    return kept?.version === version ? kept : undefined;
  }

  private async version(...tables: string[]): Promise<number | undefined> {
    return (await this.changes.current())?.of(...tables);
  }
}

const postKey = (id: number): string => `post ${id}`;

const sizeOf = ({ name, slug, description }: TermRecord): number =>
  OVERHEAD + name.length + slug.length + description.length;
