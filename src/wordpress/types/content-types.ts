import { Injectable, type OnModuleInit } from '@nestjs/common';
import { StartError } from '../../database/start-error.js';
import { AttachmentPost } from '../media/attachment.entity.js';
import { POST_STATUSES, type PostStatus } from '../posts/post-statuses.js';
import type { PostType } from './post-type.js';
import type { Taxonomy } from './taxonomy.js';

/** WordPress's own types of records; revisions are none, but copies that belong to one. */
const BUILT_IN: readonly PostType[] = [
  { type: 'post', capabilities: 'posts' },
  { type: 'page', capabilities: 'pages' },
  { type: 'attachment', capabilities: 'posts', entity: AttachmentPost },
];

/**
 * Every post type, taxonomy and status of this application, and the options that modules read: WordPress's own from the
 * beginning, those of modules while the application is put together.
 */
@Injectable()
export class ContentTypes implements OnModuleInit {
  private readonly postTypes = new Map(BUILT_IN.map((one) => [one.type, one]));
  private readonly taxonomies = new Map<string, Taxonomy>();
  private readonly known = new Map(Object.entries(POST_STATUSES));
  private readonly options = new Set<string>();

  /** Adds a post type or taxonomy; throws `StartError` when another one has its name. */
  add(one: PostType | Taxonomy): void {
    if ('taxonomy' in one) put(this.taxonomies, one.taxonomy, one, 'taxonomy');
    else put(this.postTypes, one.type, one, 'post type');
  }

  addStatuses(statuses: Readonly<Record<string, PostStatus>>): void {
    for (const [name, status] of Object.entries(statuses)) this.known.set(name, status);
  }

  /** Has options read along with the settings, which hold them as they are stored. */
  addOptions(...names: string[]): void {
    for (const name of names) this.options.add(name);
  }

  /** Throws `StartError` for what a definition names and nobody has added. */
  onModuleInit(): void {
    for (const { taxonomies = [], linked = [] } of this.allPostTypes()) {
      for (const one of taxonomies) this.taxonomy(one.taxonomy);
      for (const one of linked) this.postType(one.type);
    }
  }

  /** A registered post type; throws for any other. */
  postType(name: string): PostType {
    return this.postTypes.get(name) ?? unknown('post type', name);
  }

  /** A registered taxonomy; throws for any other. */
  taxonomy(name: string): Taxonomy {
    return this.taxonomies.get(name) ?? unknown('taxonomy', name);
  }

  /** The type of a row, which may be one that only the site's other plugins know: undefined. */
  postTypeOfRow(name: string): PostType | undefined {
    return this.postTypes.get(name);
  }

  allPostTypes(): readonly PostType[] {
    return [...this.postTypes.values()];
  }

  allTaxonomies(): readonly Taxonomy[] {
    return [...this.taxonomies.values()];
  }

  /** Registered statuses by name. */
  get statuses(): ReadonlyMap<string, PostStatus> {
    return this.known;
  }

  get optionNames(): readonly string[] {
    return [...this.options];
  }
}

function put<T>(all: Map<string, T>, name: string, one: T, kind: string): void {
  const known = all.get(name);
  if (known !== undefined && known !== one) throw new StartError(`The ${kind} ${name} is registered twice.`);
  all.set(name, one);
}

function unknown(kind: string, name: string): never {
  throw new StartError(`The ${kind} ${name} is not registered: no module of this application defines it.`);
}
