import { textsToClean as textsOfLinked } from '../linked-posts/linked-post-fields.js';
import type { LinkedPostType } from '../linked-posts/linked-post-type.js';
import type { LinkedPostInput } from '../linked-posts/linked-posts-arg.js';
import { ORGANIZER } from '../organizers/organizer-type.js';
import { VENUE } from '../venues/venue-type.js';
import type { TextToClean } from '../../wordpress/rendering/cleaning.service.js';
import type { EventFields } from './event-write.dto.js';

/** All texts of an event that a write cleans, those of its inline venues and organizers among them. */
export function textsToClean({
  title,
  description,
  excerpt,
  website,
  cost,
  categories = [],
  tags = [],
  venue = [],
  organizer = [],
}: EventFields): TextToClean[] {
  return [
    ['title', title],
    ['content', description],
    ['excerpt', excerpt],
    ['meta', website],
    ...[cost?.symbol, ...(cost?.costs ?? [])].map((text): TextToClean => ['meta', text]),
    ...[...categories, ...tags].map((item): TextToClean => ['termName', String(item)]),
    ...textsOfWishes(VENUE, venue),
    ...textsOfWishes(ORGANIZER, organizer),
  ];
}

const textsOfWishes = (kind: LinkedPostType, wishes: readonly LinkedPostInput[]) =>
  wishes.flatMap((wish) => ('fields' in wish ? textsOfLinked(kind, wish.fields) : []));
