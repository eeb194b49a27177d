import { Injectable, type OnModuleInit } from '@nestjs/common';
import { StartError } from '../../database/start-error.js';
import { AttachmentPost } from '../media/attachment.entity.js';
import { POST_STATUSES } from '../posts/post-statuses.js';
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
  /** Those that were added; a row may have one that only the site's other plugins know. */
  readonly postTypes = new Map(BUILT_IN.map((one) => [one.type, one]));
  readonly taxonomies = new Map<string, Taxonomy>();
  readonly statuses = new Map(Object.entries(POST_STATUSES));
  /** Names of options that are read along with the settings, which hold them as they are stored. */
  readonly options = new Set<string>();

  /** Adds a post type or taxonomy; throws `StartError` when another one has its name, or no row could hold it. */
  add(one: PostType | Taxonomy): void {
    if ('taxonomy' in one) put(this.taxonomies, one.taxonomy, one, { kind: 'taxonomy', longest: 32 });
    else put(this.postTypes, one.type, one, { kind: 'post type', longest: 20 });
  }

  /** Throws `StartError` for what a definition names and nobody has added. */
  onModuleInit(): void {
    for (const { taxonomies = [], linked = [] } of this.postTypes.values()) {
      for (const { taxonomy } of taxonomies) this.taxonomy(taxonomy);
      for (const { type } of linked) this.postType(type);
    }
  }

  /** A post type that was added; throws for any other. */
  postType(name: string): PostType {
    return this.postTypes.get(name) ?? unknown('post type', name);
  }

  /** A taxonomy that was added; throws for any other. */
  taxonomy(name: string): Taxonomy {
    return this.taxonomies.get(name) ?? unknown('taxonomy', name);
  }
}

function put<T>(
  all: Map<string, T>,
  name: string,
  one: T,
  { kind, longest }: { kind: string; longest: number },
): void {
  if (name.length > longest)
    throw new StartError(`The ${kind} ${name} is too long: its name has at most ${longest} characters.`);
  if ((all.get(name) ?? one) !== one) throw new StartError(`The ${kind} ${name} is registered twice.`);
  all.set(name, one);
}

function unknown(kind: string, name: string): never {
  throw new StartError(`The ${kind} ${name} is not registered: no module of this application defines it.`);
}
