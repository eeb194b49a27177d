import { EVENT_POST_TYPE } from '../../calendar/event-post-type.js';
import { linkFront, trimSlash } from '../../wordpress/posts/permalink.js';
import { defineResource, type TermType } from '../base/resource.js';
import { EventTermJson, TermJson } from '../terms/term.response.js';
import { Tag } from './tag.entity.js';
import { UpdateTagDto } from './tag-write.dto.js';

/** The tag resource, whose terms events share with blog posts. */
export const TAG = defineResource({
  kind: 'term',
  body: UpdateTagDto,
  json: TermJson,
  embedded: EventTermJson,
  taxonomy: 'post_tag',
  path: 'tags',
  singular: 'tag',
  plural: 'tags',
  description: 'Words that events are marked with.',
  entity: Tag,
  hierarchical: false,
  capabilities: { manage: ['edit_tribe_events', 'manage_categories'], assign: 'edit_posts' },
  queryVariable: 'tag',
  // The default base follows the fixed front of the permalink structure; a custom base does not.
  linkBase: ({ links, options }) =>
    trimSlash(options.get('tag_base')?.replace(/^\/+/, '') ?? '') || `${linkFront(links)}tag`,
  corePath: 'tags',
  coreParameter: 'tags',
  corePostTypes: ['posts', EVENT_POST_TYPE, 'tec_calendar_embed'],
  coreCapability: 'manage_categories',
}) satisfies TermType;
