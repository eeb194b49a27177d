import { globalIds } from '../../calendar/global-ids.js';
import { escHtml } from '../../lib/wordpress-text/formatting/esc-html.js';
import { escUrl } from '../../lib/wordpress-text/formatting/esc-url.js';
import { firstMeta, type JsonLdSource, type JsonLdTexts } from '../../wordpress/posts/post-record.js';
import { Member, withMembers } from '../base/member.js';
import { leadingMembers, textMembers } from '../base/post-json.js';
import type { LoadedPost } from '../base/resource.js';
import { jsonLdOf, type ResponseContext, textsOf } from '../base/response-context.js';
import { LinkedPostJson, NAME, storedTexts, withoutEmpty } from '../linked-posts/linked-post.response.js';
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

/** An organizer as schema.org `Person`; `image` is absent when there is none. */
export interface OrganizerJsonLd {
  '@type': 'Person';
  name: string;
  description: string;
  image?: string | false;
  url: string;
  telephone: string;
  email: string;
  sameAs: string;
}

/** Makes the structured data of an organizer; `image` is the URL of its picture. */
export function organizerJsonLd(
  organizer: JsonLdSource,
  { name, description }: JsonLdTexts,
  image: string | false | undefined,
): OrganizerJsonLd {
  const website = escUrl(escHtml(firstMeta(organizer, '_OrganizerWebsite') ?? ''));
  return {
    '@type': 'Person',
    name,
    description,
    ...(image !== undefined && { image }),
    url: website,
    telephone: escHtml(firstMeta(organizer, '_OrganizerPhone') ?? ''),
    email: escHtml(firstMeta(organizer, '_OrganizerEmail') ?? ''),
    sameAs: website,
  };
}
