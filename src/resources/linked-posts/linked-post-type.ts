import type { Type } from '@nestjs/common';
import type { RequestContext } from '../../http/request-context.js';
import type { MetaWriter } from '../../wordpress/posts/meta-writer.js';
import type { WritableStatus } from '../../wordpress/posts/post-statuses.js';
import type { TextCleaner } from '../../wordpress/posts/text-cleaner.js';
import type { TextToClean } from '../../wordpress/rendering/cleaning.service.js';
import { metaKeysOf } from '../base/member.js';
import type { PostResource } from '../base/resource.js';

/** The definition of a venue or organizer resource. */
export interface LinkedPostType<Json extends object = object> extends PostResource<LinkedPostFields, Json> {
  /** Singular, which is also the name field. */
  singular: 'venue' | 'organizer';
  /** Meta key of an event that holds the link. */
  linkKey: string;
  /** Meta key of the program that created the record. */
  originKey: string;
  textsToClean(fields: LinkedPostFields): TextToClean[];
  /** Writes the sent fields as meta in the recorded order; `created` is set for a new record. */
  writeMeta(
    meta: MetaWriter,
    fields: StorableFields,
    context: Pick<RequestContext, 'cleaner' | 'settings'>,
    created?: { status: string },
  ): void;
}

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
function metaTexts(body: Type<object>, fields: object): [key: string, text: string][] {
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

/** Writes the sent texts under their meta keys; '' clears a text. */
export function writeTexts(meta: MetaWriter, body: Type<object>, fields: object, cleaner: TextCleaner): void {
  for (const [key, text] of metaTexts(body, fields)) meta.set(key, cleaner.clean('line', text));
}

/** Writes the copies of columns that the plugin adds to the meta of a new record and never reads (W22). */
export function writeLegacyMeta(
  meta: MetaWriter,
  prefix: '_Venue' | '_Organizer',
  { author, date, date_utc, description }: LinkedPostFields,
  cleaner: TextCleaner,
  status?: string,
): void {
  if (author !== undefined) meta.add(`${prefix}post_author`, String(author));
  meta.add(`${prefix}post_date`, date ?? '').add(`${prefix}post_date_gmt`, date_utc ?? '');
  if (status !== undefined) meta.add(`${prefix}post_status`, status);
  if (description !== undefined) meta.add(`${prefix}Description`, cleaner.clean('line', description));
}
