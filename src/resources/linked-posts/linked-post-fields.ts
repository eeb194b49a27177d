import type { Type } from '@nestjs/common';
import { metaKeysOf } from '../base/member.js';
import type { WritableStatus } from '../../wordpress/posts/post-statuses.js';
import type { TextToClean } from '../../wordpress/rendering/cleaning.service.js';

/** Fields of a create or update of a venue or organizer without the texts of its kind; undefined was not sent. */
export interface LinkedPostFields {
  author?: number;
  /** Wall clock of the site, `YYYY-MM-DD HH:MM:SS`. */
  date?: string;
  /** The same instant in UTC. */
  date_utc?: string;
  /** Name of a venue. */
  venue?: string;
  /** Name of an organizer. */
  organizer?: string;
  description?: string;
  status?: WritableStatus;
  /** '' requests a slug made from the name. */
  slug?: string;
  /** Id of an attachment or a URL; '' removes the featured image. */
  image?: string;
}

/** The fields with their image stored. */
export type StorableFields<Fields extends LinkedPostFields = LinkedPostFields> = Fields & {
  /** Attachment id of `image`; 0 removes the featured image. */
  imageId?: number;
};

/** The sent texts that meta rows store, with their keys. */
export function metaTexts(body: Type<object>, fields: object): [key: string, text: string][] {
  return Object.entries<string>(metaKeysOf(body)).flatMap(([name, key]) => {
    const text: unknown = Reflect.get(fields, name);
    return typeof text === 'string' ? [[key, text]] : [];
  });
}

/** The texts of a venue or organizer that need cleaning; `body` declares those in meta rows. */
export function linkedPostTexts(body: Type<object>, fields: LinkedPostFields): TextToClean[] {
  const { venue, organizer, description } = fields;
  return [
    ['title', venue],
    ['title', organizer],
    ['content', description],
    ['line', description],
    ...metaTexts(body, fields).map(([, text]): TextToClean => ['line', text]),
  ];
}
