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
import { isTruthyWord } from '../wordpress/formatting/truthy-word.js';
import { type VenueJsonLd, venueJsonLd } from './venue-json-ld.js';

/** TODO */
export type VenueJson = Record<string, unknown>;

/** Meta keys behind the members of a venue, in the order in which they are sent. */
export const VENUE_META = {
  address: '_VenueAddress',
  city: '_VenueCity',
  country: '_VenueCountry',
  province: '_VenueProvince',
  state: '_VenueState',
  zip: '_VenueZip',
  phone: '_VenuePhone',
  website: '_VenueURL',
  stateprovince: '_VenueStateProvince',
} as const;

/** A venue as the interface shows it (docs/behaviour/venues-and-organizers.md#members); empty members are left out. */
export function toVenueResponse(
  { post }: ShownPost,
  context: ResponseContext,
  { jsonLd = false } = {},
): VenueJson {
  const locked = isLocked(post, context);
  const texts = textsOf(post, context);
  const body = {
    ...withoutEmpty({
      id: post.id,
      author: String(post.author),
      status: post.status,
      date: post.date,
      date_utc: post.dateGmt,
      modified: post.modified,
      modified_utc: post.modifiedGmt,
      url: postUrl(post, context),
      venue: texts.title,
      description: texts.description,
      excerpt: texts.excerpt,
      slug: post.name,
      image: imageOf(post, context.render),
      ...Object.fromEntries(Object.entries(VENUE_META).map(([name, key]) => [name, firstMeta(post, key)])),
      json_ld: jsonLd ? toVenueJsonLd(post, context) || undefined : undefined,
    }),
    show_map: isTruthyWord(firstMeta(post, '_VenueShowMap') ?? true),
    show_map_link: isTruthyWord(firstMeta(post, '_VenueShowMapLink') ?? true),
    ...globalIds(post, context.settings.links.home),
  };
  return locked ? maskProtected(body) : body;
}

/** The venue as structured data; false when this reader gets none. */
export function toVenueJsonLd(post: PostRecord, context: ResponseContext): VenueJsonLd | false {
  return (
    hasJsonLd(post, context) && venueJsonLd(post, jsonLdTexts(post, context), jsonLdImage(post, context))
  );
}
