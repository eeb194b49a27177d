import type { Type } from '@nestjs/common';
import type { SiteSettings } from '../options/site-settings.js';
import type { Post } from '../posts/post.entity.js';
import type { Taxonomy } from './taxonomy.js';

/** The definition of a post type. */
export interface PostType {
  /** `post_type`. */
  type: string;
  /** The plural in its capabilities, as in `edit_others_posts`. */
  capabilities: string;
  /** The first path segment of its pretty links; by default the type. */
  linkBase?: string | ((site: SiteSettings) => string);
  /** The `@ChildEntity` of its posts; absent for read-only types. */
  entity?: Type<Post>;
  /** The taxonomies of its posts. */
  taxonomies?: readonly Taxonomy[];
  /** The post types that its posts link to in their meta. */
  linked?: readonly PostType[];
}
