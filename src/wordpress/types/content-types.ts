import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { StartError } from '../../database/start-error.js';
import type { SiteSettings } from '../options/site-settings.js';
import { AttachmentPost, type Post } from '../posts/post.entity.js';
import { POST_STATUSES } from '../posts/post-statuses.js';
import type { TermTaxonomy } from '../terms/term.entity.js';

/** WordPress's own post types, without revisions. */
const BUILT_IN: readonly PostType[] = [
  { type: 'post', capabilities: 'posts' },
  { type: 'page', capabilities: 'pages' },
  { type: 'attachment', capabilities: 'posts', entity: AttachmentPost },
];

/** Post types, taxonomies, statuses, and options: WordPress's own and those that modules register. */
@Injectable()
export class ContentTypes implements OnModuleInit {
  /** The registered post types; rows may have others. */
  readonly postTypes = new Map(BUILT_IN.map((one) => [one.type, one]));
  readonly taxonomies = new Map<string, Taxonomy>();
  readonly statuses = new Map(Object.entries(POST_STATUSES));
  /** Names of options that are read with the settings, unparsed. */
  readonly options = new Set<string>();

  /** Registers a post type or taxonomy; throws `StartError` for a duplicate or too long name. */
  add(one: PostType | Taxonomy): void {
    if ('taxonomy' in one) put(this.taxonomies, one.taxonomy, one, 'taxonomy', 32);
    else put(this.postTypes, one.type, one, 'post type', 20);
  }

  /** Throws `StartError` for an unregistered type or taxonomy in a definition. */
  onModuleInit(): void {
    for (const { taxonomies = [], linked = [] } of this.postTypes.values()) {
      for (const { taxonomy } of taxonomies) this.taxonomy(taxonomy);
      for (const { type } of linked) this.postType(type);
    }
  }

  /** A registered post type; throws for an unknown one. */
  postType(name: string): PostType {
    return this.postTypes.get(name) ?? unknown('post type', name);
  }

  /** A registered taxonomy; throws for an unknown one. */
  taxonomy(name: string): Taxonomy {
    return this.taxonomies.get(name) ?? unknown('taxonomy', name);
  }
}

function put<T>(all: Map<string, T>, name: string, one: T, kind: string, maxLength: number): void {
  if (name.length > maxLength)
    throw new StartError(`The ${kind} ${name} is too long: its name has at most ${maxLength} characters.`);
  if ((all.get(name) ?? one) !== one) throw new StartError(`The ${kind} ${name} is registered twice.`);
  all.set(name, one);
}

function unknown(kind: string, name: string): never {
  throw new StartError(`The ${kind} ${name} is not registered: no module of this application defines it.`);
}

export interface PostType {
  type: string;
  /** The plural in its capabilities, as in `edit_others_posts`. */
  capabilities: string;
  /** The first path segment of its pretty links; by default the type. */
  linkBase?: string | ((site: SiteSettings) => string);
  /** The `@ChildEntity` of its posts; absent for read-only types. */
  entity?: Type<Post>;
  taxonomies?: readonly Taxonomy[];
  /** The post types that its posts link to in their meta. */
  linked?: readonly PostType[];
}

export interface Taxonomy {
  taxonomy: string;
  /** Whether terms have parents; WordPress then caches the tree in the option `<name>_children`. */
  hierarchical: boolean;
  capabilities: {
    /** All are needed to create, change or delete a term. */
    manage: readonly string[];
    /** Needed to assign a term to a post. */
    assign: string;
  };
  /** The query parameter of plain links. */
  queryVariable: string;
  /** The path before the slugs in pretty links. */
  linkBase(site: SiteSettings): string;
  entity: Type<TermTaxonomy>;
}
