import type { Type } from '@nestjs/common';
import { metaKeysOf } from '../base/member.js';
import type { WritableStatus } from '../../wordpress/posts/post-statuses.js';
import type { TextToClean } from '../../wordpress/rendering/cleaning.service.js';

/** What a create or an update of a venue or organizer may send besides the texts of its kind; undefined was not sent. */
export interface LinkedPostFields {
  author?: number;
  /** Wall clock of the site, `YYYY-MM-DD HH:MM:SS`. */
  date?: string;
  /** The same in UTC. */
  date_utc?: string;
  /** Name of a venue. */
  venue?: string;
  /** Name of an organizer. */
  organizer?: string;
  description?: string;
  status?: WritableStatus;
  /** '' asks for one made from the name. */
  slug?: string;
  /** Id of an attachment or a URL; '' removes the featured image. */
  image?: string;
}

/** The same once its image is stored. */
export type StorableFields<Fields extends LinkedPostFields = LinkedPostFields> = Fields & {
  /** Id of the attachment that `image` stands for; 0 removes the featured image. */
  imageId?: number;
};

/** The texts among the fields that were sent and that are kept as meta, with their keys, as their class declares them. */
export function metaTexts(body: Type<object>, fields: object): [key: string, text: string][] {
  return Object.entries<string>(metaKeysOf(body)).flatMap(([name, key]) => {
    const text: unknown = Reflect.get(fields, name);
    return typeof text === 'string' ? [[key, text]] : [];
  });
}

/** All texts of a venue or organizer that a write cleans. */
export function textsToClean({ body }: { body: Type<object> }, fields: LinkedPostFields): TextToClean[] {
  const { venue, organizer, description } = fields;
  return [
    ['title', venue],
    ['title', organizer],
    ['content', description],
    ['line', description],
    ...metaTexts(body, fields).map(([, text]): TextToClean => ['line', text]),
  ];
}
