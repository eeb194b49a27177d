import { setImmediate } from 'node:timers/promises';
import { batched } from '../../cache/versioned-cache.js';
import type { PostIdentity, PostsService } from '../../wordpress/posts/posts.service.js';
import type { TermRecord } from '../../wordpress/terms/term-record.js';
import type { TermsService } from '../../wordpress/terms/terms.service.js';
import type { UsersService } from '../../wordpress/users/users.service.js';
import type { LookupCache } from './lookup-cache.service.js';

/** Loads records for the checks of one request, once each; one statement reads the posts of several parameters. */
export class RequestLoader {
  private readonly posts = new Map<number, Promise<PostIdentity | undefined>>();
  private readonly load = batched(async (ids: readonly number[]) => {
    const found = await this.visible.posts(await (this.cache ?? this.postsService).identities(ids));
    return new Map(found.map((post) => [post.id, post]));
  }, setImmediate);
  private readonly taxonomies = new Map<string, Promise<Map<number, TermRecord>>>();

  constructor(
    private readonly postsService: PostsService,
    readonly terms: TermsService,
    private readonly users: UsersService,
    private readonly visible: {
      posts(posts: PostIdentity[]): Promise<PostIdentity[]>;
      terms(terms: readonly TermRecord[]): Promise<TermRecord[]>;
    },
    /** For callers that may get rows that are up to a second old. */
    private readonly cache?: LookupCache,
  ) {}

  /** Type and status of a post; undefined if there is none. */
  post(id: number): Promise<PostIdentity | undefined> {
    if (!Number.isSafeInteger(id) || id <= 0) return Promise.resolve(undefined);
    const post = this.posts.get(id) ?? this.load(id);
    this.posts.set(id, post);
    return post;
  }

  /** Every term of a taxonomy that is visible to the caller. */
  taxonomy(name: string): Promise<Map<number, TermRecord>> {
    return this.termsOnce(name, async () =>
      this.cache ? this.cache.all(name) : [...(await this.terms.all(name)).values()],
    );
  }

  /** Terms of a taxonomy that some of the items name, by id, slug or name. */
  termsNamed(taxonomy: string, items: readonly string[], locale: string): Promise<Map<number, TermRecord>> {
    return this.termsOnce(JSON.stringify([taxonomy, items]), () =>
      (this.cache ?? this.terms).named(taxonomy, items, locale),
    );
  }

  private termsOnce(
    key: string,
    read: () => Promise<readonly TermRecord[]>,
  ): Promise<Map<number, TermRecord>> {
    const visible =
      this.taxonomies.get(key) ??
      read()
        .then((terms) => this.visible.terms(terms))
        .then((terms) => new Map(terms.map((term) => [term.id, term])));
    this.taxonomies.set(key, visible);
    return visible;
  }

  userExists(id: number): Promise<boolean> {
    return Number.isSafeInteger(id) && id > 0 ? this.users.exists(id) : Promise.resolve(false);
  }
}
