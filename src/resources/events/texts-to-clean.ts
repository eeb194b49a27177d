import type { TextToClean } from '../../wordpress/rendering/cleaning.service.js';
import type { LinkedPostType } from '../linked-posts/linked-post-type.js';
import type { LinkedPostInput } from '../linked-posts/linked-posts-arg.js';
import { ORGANIZER } from '../organizers/organizer-type.js';
import { VENUE } from '../venues/venue-type.js';
import type { EventFields } from './event-write.dto.js';

/** The texts of an event that need cleaning, including those of inline venues and organizers. */
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
    ...inlineTexts(VENUE, venue),
    ...inlineTexts(ORGANIZER, organizer),
  ];
}

const inlineTexts = (kind: LinkedPostType, inputs: readonly LinkedPostInput[]) =>
  inputs.flatMap((input) => ('fields' in input ? kind.textsToClean(input.fields) : []));

/** The images of an event and of its inline venues and organizers. */
export function imagesToStore({ image, venue = [], organizer = [] }: EventFields): (string | undefined)[] {
  const inline = [...venue, ...organizer].map((input) =>
    'fields' in input ? input.fields.image : undefined,
  );
  return [image, ...inline];
}
