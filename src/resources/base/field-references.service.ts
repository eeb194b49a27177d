import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../http/request-context.js';
import type { MetaMap } from '../../wordpress/posts/post-record.js';
import { PostVisibility } from '../../wordpress/posts/post-visibility.js';
import { PostsService } from '../../wordpress/posts/posts.service.js';
import { TermVisibility } from '../../wordpress/terms/term-visibility.js';
import { TermsService } from '../../wordpress/terms/terms.service.js';
import { type ContentKind, kindKey } from './declared-field.js';
import { FieldRegistry } from './field-registry.js';
import { decodeField, withReferences } from './field-values.js';
import type { Resource } from './resource.js';

/** A record whose fields may refer to others. */
interface Referrer {
  kind: ContentKind;
  meta?: MetaMap;
}

/** The records that fields refer to and this reader may see, as texts. */
export type VisibleReferences = ReadonlySet<string>;

/** Names a record of a resource in `VisibleReferences`. */
export const referenceKey = (to: ContentKind, id: number): string => `${kindKey(to)} ${id}`;

const NONE: VisibleReferences = new Set();

/** Finds the records that declared fields refer to. */
@Injectable()
export class FieldReferences {
  constructor(
    private readonly registry: FieldRegistry,
    private readonly posts: PostsService,
    private readonly terms: TermsService,
    private readonly postVisibility: PostVisibility,
    private readonly termVisibility: TermVisibility,
  ) {}

  /** What the fields of these records refer to and the reader may see; one statement for posts and one per taxonomy. */
  async visible(records: readonly Referrer[], context: RequestContext): Promise<VisibleReferences> {
    const all = records.flatMap((record) => this.referencesOf(record));
    if (all.length === 0) return NONE;
    const visible = new Set<string>();
    const postIds = new Set(all.flatMap(({ to, id }) => ('type' in to ? id : [])));
    const found = (await this.posts.identities([...postIds])).filter(
      (post) => post.status !== 'trash' && context.access.mayRead(post),
    );
    for (const post of await this.postVisibility.of(found, context)) visible.add(referenceKey(post, post.id));
    const taxonomies = new Set(all.flatMap(({ to }) => ('taxonomy' in to ? to.taxonomy : [])));
    for (const taxonomy of taxonomies) {
      const include = all.flatMap(({ to, id }) => ('taxonomy' in to && to.taxonomy === taxonomy ? id : []));
      const terms = await this.terms.list({ taxonomy, include, orderBy: 'id', direction: 'ASC' });
      for (const term of await this.termVisibility.of(terms, context))
        visible.add(referenceKey(term, term.id));
    }
    return visible;
  }

  /** Ids of the posts that records refer to; undefined where they, or terms of theirs, may refer to more. */
  postIds(records: readonly Referrer[], taxonomies: readonly ContentKind[] = []): number[] | undefined {
    if (taxonomies.some((taxonomy) => this.registry.referencesOn(taxonomy).length > 0)) return undefined;
    const all = records.flatMap((record) => this.referencesOf(record));
    return all.some(({ to }) => 'taxonomy' in to) ? undefined : all.map(({ id }) => id);
  }

  private referencesOf({ kind, meta }: Referrer): { to: Resource; id: number }[] {
    const references: { to: Resource; id: number }[] = [];
    for (const field of this.registry.referencesOn(kind))
      withReferences(field, decodeField(field, meta?.get(field.meta), ''), (to, id) => {
        references.push({ to, id });
        return true;
      });
    return references;
  }
}
