import type { Type } from '@nestjs/common';
import type { SiteSettings } from '../options/site-settings.js';
import type { Post } from '../posts/post.entity.js';
import type { Taxonomy } from './taxonomy.js';

/** A post type: what the base needs to know of it to read, write, link and guard its posts. */
export interface PostType {
  /** `post_type`. */
  type: string;
  /** The plural that its capabilities end in, as in `edit_others_posts`. */
  capabilities: string;
  /** First path segment of its pretty links; the type itself when absent. */
  linkBase?: string | ((site: SiteSettings) => string);
  /** The `@ChildEntity` through which its posts are written; absent for types whose posts are only read. */
  entity?: Type<Post>;
  /** Whose terms its posts carry. */
  taxonomies?: readonly Taxonomy[];
  /** Types of the records that its posts name in their meta. */
  linked?: readonly PostType[];
}
