import { globalIds } from '../../calendar/global-ids.js';
import { LinkedPostJson, NAME, storedTexts, withoutEmpty } from '../linked-posts/linked-post.response.js';
import { Member, withMembers } from '../base/member.js';
import { leadingMembers, textMembers } from '../base/post-json.js';
import type { LoadedPost } from '../base/resource.js';
import { jsonLdOf, type ResponseContext, textsOf } from '../base/response-context.js';
import { type OrganizerJsonLd, organizerJsonLd } from './organizer-json-ld.js';
import { OrganizerTexts } from './organizer-write.dto.js';

/** The JSON of an organizer. */
export class OrganizerJson extends withMembers(LinkedPostJson, OrganizerTexts) {
  @Member(NAME) organizer?: string | [];
  declare json_ld?: OrganizerJsonLd;
}

/** Makes the JSON of an organizer (docs/behaviour/venues-and-organizers.md#members) without empty members. */
export function toOrganizerResponse(
  { post }: LoadedPost,
  context: ResponseContext,
  { jsonLd = false } = {},
): OrganizerJson {
  return withoutEmpty({
    id: post.id,
    ...leadingMembers(post, context),
    organizer: textsOf(post, context).title,
    ...textMembers(post, context),
    ...storedTexts(OrganizerTexts, post),
    json_ld: (jsonLd && jsonLdOf(post, context, organizerJsonLd)) || undefined,
    ...globalIds(post, context.settings.links.home),
  });
}
