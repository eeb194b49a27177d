import { EVENT_POST_TYPE } from '../calendar/event-post-type.js';
import type { TermType } from '../event-terms/term-type.js';
import { linkFront, trimSlash } from '../wordpress/posts/permalink.js';
import type { UpdateTagDto } from './tag.dto.js';
import { Tag } from './tag.entity.js';

/** Event tags, which events share with blog posts. */
export const TAG: TermType<UpdateTagDto> = {
  kind: 'term',
  path: 'tags',
  taxonomy: 'post_tag',
  one: 'tag',
  many: 'tags',
  schema: 'Term',
  entity: Tag,
  hierarchical: false,
  capabilities: { manage: ['edit_tribe_events', 'manage_categories'], assign: 'edit_posts' },
  queryVariable: 'tag',
  // The default stands behind the fixed front of the permalink structure, a base of one's own does not.
  linkBase: ({ links, options }) =>
    trimSlash(options.get('tag_base')?.replace(/^\/+/, '') ?? '') || `${linkFront(links)}tag`,
  corePath: 'tags',
  coreParameter: 'tags',
  corePostTypes: ['posts', EVENT_POST_TYPE, 'tec_calendar_embed'],
  coreCapability: 'manage_categories',
};
