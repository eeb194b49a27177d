import type { PostIdentity, PostsService } from '../../wordpress/posts/posts.service.js';
import type { TermRecord } from '../../wordpress/terms/term-record.js';
import type { TermsService } from '../../wordpress/terms/terms.service.js';
import type { UsersService } from '../../wordpress/users/users.service.js';
import type { LookupCache } from './lookup-cache.service.js';

/**
 * What one request's checks look up. Posts that several parameters ask for at the same time are fetched with one
 * statement, and nothing is fetched twice.
 */
export class RequestLoader {
  private readonly posts = new Map<number, Promise<PostIdentity | undefined>>();
  private readonly taxonomies = new Map<string, Promise<Map<number, TermRecord>>>();
  private waiting: { ids: number[]; rows: Promise<Map<number, PostIdentity>> } | undefined;

  constructor(
    private readonly postsService: PostsService,
    readonly terms: TermsService,
    private readonly users: UsersService,
    private readonly visible: {
      posts(posts: PostIdentity[]): Promise<PostIdentity[]>;
      terms(terms: readonly TermRecord[]): Promise<TermRecord[]>;
    },
    /** For who may be told what was read within the last second. */
    private readonly kept?: LookupCache,
  ) {}

  /** Type and status of a post, undefined when there is none. */
  post(id: number): Promise<PostIdentity | undefined> {
    if (!Number.isSafeInteger(id) || id <= 0) return Promise.resolve(undefined);
    const known = this.posts.get(id) ?? this.found(id);
    this.posts.set(id, known);
    return known;
  }

  private async found(id: number): Promise<PostIdentity | undefined> {
    const kept = await this.kept?.post(id);
    return kept ? (await this.visible.posts([kept]))[0] : (await this.batch(id)).get(id);
  }

  private batch(id: number): Promise<Map<number, PostIdentity>> {
    if (!this.waiting) {
      const ids: number[] = [];
      const rows = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
        this.waiting = undefined;
        const found = await this.visible.posts(await (this.kept ?? this.postsService).identities(ids));
        return new Map(found.map((post) => [post.id, post]));
      });
      this.waiting = { ids, rows };
    }
    this.waiting.ids.push(id);
    return this.waiting.rows;
  }

  /** The id of the post of a type that a slug names. */
  idBySlug(type: string, slug: string): Promise<number | null> {
    return this.postsService.idBySlug(type, slug);
  }

  /** Every term of a taxonomy that plugins leave to the caller. */
  taxonomy(name: string): Promise<Map<number, TermRecord>> {
    return this.termsOnce(name, async () =>
      this.kept ? this.kept.all(name) : [...(await this.terms.all(name)).values()],
    );
  }

  /** Terms of a taxonomy that some of the items name, by id, slug or name. */
  termsNamed(taxonomy: string, items: readonly string[], locale: string): Promise<Map<number, TermRecord>> {
    return this.termsOnce(JSON.stringify([taxonomy, items]), () =>
      (this.kept ?? this.terms).named(taxonomy, items, locale),
    );
  }

  private termsOnce(
    key: string,
    read: () => Promise<readonly TermRecord[]>,
  ): Promise<Map<number, TermRecord>> {
    const known =
      this.taxonomies.get(key) ??
      read()
        .then((terms) => this.visible.terms(terms))
        .then((terms) => new Map(terms.map((term) => [term.id, term])));
    this.taxonomies.set(key, known);
    return known;
  }

  userExists(id: number): Promise<boolean> {
    return Number.isSafeInteger(id) && id > 0 ? this.users.exists(id) : Promise.resolve(false);
  }
}
