import { forbidden } from '../../common/errors/rest-exception.js';
import { type ImageObject, imageObject } from '../../lib/wordpress-text/image-object.js';
import { type PostRecord, thumbnailId } from '../../wordpress/posts/post-record.js';
import { DIGITS, INTEGER, Member } from './member.js';
import { postUrl, type ResponseContext, textsOf } from './response-context.js';

/** A wall clock that a password-locked record still shows. */
export const DATE_MEMBER = {
  description: '`YYYY-MM-DD HH:MM:SS`.',
  examples: ['2026-11-21 10:00:00'],
  visibleWhenLocked: true,
} as const;

/** Distance from the requested place; only in lists around a place. */
export const DISTANCE = {
  type: ['number', 'null'],
  description: 'Kilometres from the place that the list was asked to look around; nowhere else.',
  optional: true,
  isConditional: true,
} as const;

class ImageSizeJson {
  @Member({ ...INTEGER, optional: true }) width?: number;
  @Member({ ...INTEGER, optional: true }) height?: number;
  @Member({ optional: true }) 'mime-type'?: string;
  @Member({ ...INTEGER, optional: true }) filesize?: number;
  @Member() url: string;
}

/** An image in every record; unknown metadata are left out. */
class ImageJson implements ImageObject {
  @Member({ anyOf: [{ type: 'string' }, { const: false }], optional: true }) url: string | false;
  @Member(INTEGER) id: number;
  @Member({ optional: true }) extension: string;
  @Member({ ...INTEGER, optional: true }) width?: number;
  @Member({ ...INTEGER, optional: true }) height?: number;
  @Member({ ...INTEGER, optional: true }) filesize?: number;
  @Member({ optional: true }) original_image?: string;
  @Member({ type: 'object', additionalProperties: ImageSizeJson, optional: true }) sizes?: object;
  [metadata: string]: unknown;
}

/** The texts of a record as stored, with blocks and shortcodes. */
class RawTextsJson {
  @Member() title: string;
  @Member() description: string;
  @Member() excerpt: string;
}

/** The members of all post records; some resources omit empty ones. */
export class PostJson {
  @Member({ ...INTEGER, visibleWhenLocked: true }) id: number;
  @Member({
    pattern: DIGITS,
    description: 'Id of the author, as text.',
    visibleWhenLocked: true,
    optional: true,
  })
  author?: string;
  @Member({ examples: ['publish'], visibleWhenLocked: true }) status: string;
  @Member({ ...DATE_MEMBER, utc: 'date_utc' }) date: string;
  @Member({ ...DATE_MEMBER, utc: true }) date_utc: string;
  @Member({ ...DATE_MEMBER, utc: 'modified_utc' }) modified: string;
  @Member({ ...DATE_MEMBER, utc: true }) modified_utc: string;
  @Member({ visibleWhenLocked: true, optional: true }) url?: string;
  @Member({ description: 'HTML.', isHtml: true, optional: true }) description?: string;
  @Member({ description: 'HTML.', isHtml: true, optional: true }) excerpt?: string;
  @Member({ visibleWhenLocked: true, optional: true }) slug?: string;
  @Member({ anyOf: [ImageJson, { const: false }], blank: false, optional: true }) image?: ImageObject | false;
  @Member({ type: RawTextsJson, description: 'With `_raw=true` only.', optional: true, isConditional: true })
  raw?: RawTextsJson;
}

/** The further members of the calendar's own records. */
export class CalendarJson {
  @Member({ description: "The site's host and path with the id.", visibleWhenLocked: true })
  global_id: string;
  @Member({ type: 'array', items: { type: 'string' }, visibleWhenLocked: true }) global_id_lineage: string[];
  @Member({
    type: 'object',
    description: 'schema.org data; in single reads only.',
    optional: true,
    isConditional: true,
  })
  json_ld?: object;
}

/** The members between the id of a record and its name. */
export function leadingMembers(post: PostRecord, context: ResponseContext) {
  return {
    author: String(post.author),
    status: post.status,
    date: post.date,
    date_utc: post.dateGmt,
    modified: post.modified,
    modified_utc: post.modifiedGmt,
    url: postUrl(post, context),
  };
}

/** The members after the name of a record. */
export function textMembers(post: PostRecord, context: ResponseContext) {
  const { attachments, site } = context.render;
  const { description, excerpt } = textsOf(post, context);
  const id = thumbnailId(post);
  const image = imageObject(id, attachments.get(id), site.uploadsUrl);
  return { description, excerpt, slug: post.name, image };
}

/**
 * The stored texts, which an editor needs since the rendered ones must not be stored; throws unless the caller may edit
 * the record.
 */
export function rawTextsOf(
  post: PostRecord,
  one: string,
  { access }: Pick<ResponseContext, 'access'>,
): RawTextsJson {
  if (!access.may('edit', post))
    throw forbidden(`You may not see this ${one} with _raw=true.`, 'rest_forbidden_context');
  return { title: post.title, description: post.content, excerpt: post.excerpt };
}
