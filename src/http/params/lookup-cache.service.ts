import { Injectable } from '@nestjs/common';
import { VersionedCache } from '../../cache/versioned-cache.js';
import { TableVersions } from '../../database/table-versions.service.js';
import { type PostIdentity, PostsService } from '../../wordpress/posts/posts.service.js';
import type { TermRecord } from '../../wordpress/terms/term-record.js';
import { TermsService } from '../../wordpress/terms/terms.service.js';

/** Approximate characters of all cached posts, and of all cached terms. */
const MAX_SIZE = 1_000_000;
/** Approximate characters of a row beside its texts. */
const OVERHEAD = 400;

interface CachedTerms {
  terms: readonly TermRecord[];
  /** Only ids and slugs of terms: made-up names would fill the cache. */
  isCacheable: boolean;
}

/**
 * Posts and terms that filters of lists name; cached while their tables are unchanged, unless they are missing
 * (docs/behaviour/caching.md#versioned-caches).
 */
@Injectable()
export class LookupCache {
  private readonly postsById = new VersionedCache<number, PostIdentity | undefined>({
    tables: ['posts'],
    maxSize: MAX_SIZE,
    sizeOf: (post) => (post ? OVERHEAD : Number.POSITIVE_INFINITY),
  });
  private readonly termsByKey = new VersionedCache<string, CachedTerms>({
    tables: ['terms', 'term_taxonomy'],
    maxSize: MAX_SIZE,
    maxEntrySize: MAX_SIZE / 2,
    sizeOf: ({ terms, isCacheable }) =>
      isCacheable ? terms.reduce((sum, term) => sum + sizeOf(term), OVERHEAD) : Number.POSITIVE_INFINITY,
  });

  constructor(
    private readonly posts: PostsService,
    private readonly terms: TermsService,
    private readonly versions: TableVersions,
  ) {}

  async identities(ids: readonly number[]): Promise<PostIdentity[]> {
    const load = async (missing: readonly number[]) =>
      new Map((await this.posts.identities(missing)).map((post) => [post.id, post]));
    const posts = await this.postsById.getMany(ids, await this.versions.snapshot(), load);
    return [...posts.values()].filter((post) => post !== undefined);
  }

  async all(taxonomy: string): Promise<readonly TermRecord[]> {
    const load = async () => ({
      terms: [...(await this.terms.all(taxonomy)).values()],
      isCacheable: true,
    });
    return (await this.termsByKey.get(`all ${taxonomy}`, await this.versions.snapshot(), load)).terms;
  }

  /** Terms of a taxonomy that some of the items name, by id, slug or name; cached for a single item. */
  async named(taxonomy: string, items: readonly string[], locale: string): Promise<readonly TermRecord[]> {
    const [item = ''] = items;
    if (items.length !== 1) return this.terms.named(taxonomy, items, locale);
    const load = async () => {
      const terms = await this.terms.named(taxonomy, items, locale);
      return { terms, isCacheable: terms.some(({ id, slug }) => item === String(id) || item === slug) };
    };
    const key = `named ${taxonomy} ${locale} ${item}`;
    return (await this.termsByKey.get(key, await this.versions.snapshot(), load)).terms;
  }
}

const sizeOf = ({ name, slug, description }: TermRecord): number =>
  OVERHEAD + name.length + slug.length + description.length;
