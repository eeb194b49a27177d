import { globalIds } from '../../calendar/global-ids.js';
import { LinkedPostJson, NAME, storedTexts, withoutEmpty } from '../linked-posts/linked-post.response.js';
import { Member, withMembers } from '../base/member.js';
import { DISTANCE, leadingMembers, textMembers } from '../base/post-json.js';
import type { LoadedPost } from '../base/resource.js';
import { jsonLdOf, type ResponseContext, textsOf } from '../base/response-context.js';
import { isTruthyWord } from '../../lib/wordpress-text/formatting/truthy-word.js';
import { firstMeta } from '../../wordpress/posts/post-record.js';
import { type VenueJsonLd, venueJsonLd } from './venue-json-ld.js';
import { VenueTexts } from './venue-write.dto.js';

/** The JSON of a venue. */
export class VenueJson extends withMembers(LinkedPostJson, VenueTexts) {
  @Member(NAME) venue?: string | [];
  @Member() show_map: boolean;
  @Member() show_map_link: boolean;
  @Member(DISTANCE) distance?: number | null;
  declare json_ld?: VenueJsonLd;
}

/** Makes the JSON of a venue (docs/behaviour/venues-and-organizers.md#members) without empty members. */
export function toVenueResponse(
  { post }: LoadedPost,
  context: ResponseContext,
  { jsonLd = false } = {},
): VenueJson {
  const filled = withoutEmpty({
    id: post.id,
    ...leadingMembers(post, context),
    venue: textsOf(post, context).title,
    ...textMembers(post, context),
    ...storedTexts(VenueTexts, post),
    json_ld: (jsonLd && jsonLdOf(post, context, venueJsonLd)) || undefined,
  });
  return Object.assign(filled, {
    show_map: isTruthyWord(firstMeta(post, '_VenueShowMap') ?? true),
    show_map_link: isTruthyWord(firstMeta(post, '_VenueShowMapLink') ?? true),
    ...globalIds(post, context.settings.links.home),
  });
}
