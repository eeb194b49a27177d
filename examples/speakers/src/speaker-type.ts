import { defineFields, definePosts, EVENT, Post, VENUE } from 'almanac';
import { MaxLength } from 'class-validator';
import { ChildEntity } from 'typeorm';

@ChildEntity('acme_speaker')
export class Speaker extends Post {}

/** Posts with rights of their own, a list of events and a venue. */
export const SPEAKER = definePosts({
  type: 'acme_speaker',
  path: 'speakers',
  singular: 'speaker',
  plural: 'speakers',
  capabilities: 'speakers',
  grants: { editor: 'all', author: 'own', contributor: 'drafts' },
  entity: Speaker,
  relations: {
    events: { to: EVENT, many: true, meta: '_acme_speaker_event', description: 'Where they speak.' },
    venue: { to: VENUE, meta: '_acme_speaker_venue', description: 'Where they work.', onTrash: 'refuse' },
  },
});

export const fields = defineFields({
  level: {
    meta: '_acme_speaker_level',
    type: 'enum',
    values: ['beginners', 'experts'],
    description: 'For whom they speak.',
    default: 'beginners',
    filter: true,
  },
  topics: {
    meta: '_acme_speaker_topic',
    type: 'list',
    items: { type: 'string', checks: [MaxLength(50)] },
    maxItems: 5,
    description: 'What they speak about.',
    filter: true,
  },
});
