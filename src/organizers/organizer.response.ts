import { globalIds } from '../calendar/global-ids.js';
import {
  hasJsonLd,
  isLocked,
  jsonLdImage,
  jsonLdTexts,
  postUrl,
  type ResponseContext,
  textsOf,
} from '../resources/response-context.js';
import type { ShownPost } from '../resources/resource.js';
import { maskProtected } from '../wordpress/posts/post-password.js';
import { firstMeta, type PostRecord } from '../wordpress/posts/post-record.js';
import { imageOf, withoutEmpty } from '../wordpress/posts/post-response.js';
import { type OrganizerJsonLd, organizerJsonLd } from './organizer-json-ld.js';

/** TODO */
export type OrganizerJson = Record<string, unknown>;

/** Meta keys behind the members of an organizer, in the order in which they are sent. */
export const ORGANIZER_META = {
  phone: '_OrganizerPhone',
  website: '_OrganizerWebsite',
  email: '_OrganizerEmail',
} as const;

/**
 * An organizer as the interface shows it (docs/behaviour/venues-and-organizers.md#members); empty members are left out.
 */
export function toOrganizerResponse(
  { post }: ShownPost,
  context: ResponseContext,
  { jsonLd = false } = {},
): OrganizerJson {
  const locked = isLocked(post, context);
  const texts = textsOf(post, context);
  const body = withoutEmpty({
    id: post.id,
    author: String(post.author),
    status: post.status,
    date: post.date,
    date_utc: post.dateGmt,
    modified: post.modified,
    modified_utc: post.modifiedGmt,
    url: postUrl(post, context),
    organizer: texts.title,
    description: texts.description,
    excerpt: texts.excerpt,
    slug: post.name,
    image: imageOf(post, context.render),
    ...Object.fromEntries(Object.entries(ORGANIZER_META).map(([name, key]) => [name, firstMeta(post, key)])),
    json_ld: jsonLd ? toOrganizerJsonLd(post, context) || undefined : undefined,
    ...globalIds(post, context.settings.links.home),
  });
  return locked ? maskProtected(body) : body;
}

/** The organizer as structured data; false when this reader gets none. */
export function toOrganizerJsonLd(post: PostRecord, context: ResponseContext): OrganizerJsonLd | false {
  return (
    hasJsonLd(post, context) && organizerJsonLd(post, jsonLdTexts(post, context), jsonLdImage(post, context))
  );
}
