import { Injectable } from '@nestjs/common';
import { Hooks } from '../../common/hooks/hooks.js';
import { Environment } from '../../config/env.js';
import { Database } from '../../database/database.js';
import { Transactions } from '../../database/transactions.js';
import { ImageImport } from '../../wordpress/media/image-import.js';
import { CountCache } from '../../wordpress/posts/count-cache.service.js';
import { PostCache } from '../../wordpress/posts/post-cache.service.js';
import { PostVisibility } from '../../wordpress/posts/post-visibility.js';
import { PostWriter } from '../../wordpress/posts/post-writer.js';
import { PostsService } from '../../wordpress/posts/posts.service.js';
import { Cleaning } from '../../wordpress/rendering/cleaning.service.js';
import { Renderer } from '../../wordpress/rendering/renderer.service.js';
import { TermCache } from '../../wordpress/terms/term-cache.service.js';
import { TermsService } from '../../wordpress/terms/terms.service.js';
import { RecordCache } from '../record-cache/record-cache.service.js';
import { FieldsService } from './fields.service.js';
import { NormalizedFormat } from './normalized-format.service.js';
import { RecordReaders } from './record-readers.service.js';
import { RelationsService } from './relations.service.js';
import type { LoadedPost, RecordLoader, RecordSource } from './resource.js';
import { WriteHooks } from './write-hooks.service.js';

/** The dependencies of every post resource's service. */
@Injectable()
export class PostResourceDeps {
  readonly sources: Readonly<Record<'fresh' | 'cached', RecordSource>>;
  /** Loads records that are made of their post alone. */
  readonly loader: RecordLoader<LoadedPost>;

  constructor(
    readonly env: Environment,
    readonly database: Database,
    readonly transactions: Transactions,
    readonly hooks: Hooks,
    readonly posts: PostsService,
    readonly totals: CountCache,
    readonly records: RecordCache,
    readonly readers: RecordReaders,
    readonly visibility: PostVisibility,
    readonly writer: PostWriter,
    readonly renderer: Renderer,
    readonly fields: FieldsService,
    readonly writes: WriteHooks,
    readonly relations: RelationsService,
    readonly normalizedFormat: NormalizedFormat,
    readonly cleaning: Cleaning,
    readonly images: ImageImport,
    readonly terms: TermsService,
    cachedPosts: PostCache,
    cachedTerms: TermCache,
  ) {
    this.sources = { fresh: { posts, terms }, cached: { posts: cachedPosts, terms: cachedTerms } };
    this.loader = { load: async (rows) => (await posts.withMeta(rows)).map((post) => ({ post })) };
  }
}
