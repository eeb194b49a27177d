import { globalIds } from '../../calendar/global-ids.js';
import { escHtml } from '../../lib/wordpress-text/formatting/esc-html.js';
import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import { isTruthyWord } from '../../lib/wordpress-text/formatting/truthy-word.js';
import { firstMeta, type JsonLdSource, type JsonLdTexts } from '../../wordpress/posts/post-record.js';
import { Member, withMembers } from '../base/member.js';
import { DISTANCE, leadingMembers, textMembers } from '../base/post-json.js';
import type { LoadedPost } from '../base/resource.js';
import { jsonLdOf, type ResponseContext, textsOf } from '../base/response-context.js';
import { LinkedPostJson, NAME, storedTexts, withoutEmpty } from '../linked-posts/linked-post.response.js';
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

/** A venue as schema.org `Place`; members that do not apply are absent. */
export interface VenueJsonLd {
  '@type': 'Place';
  name: string;
  description: string;
  image?: string | false;
  url: '';
  address: PostalAddress;
  telephone: string;
  sameAs: string;
}

interface PostalAddress {
  '@type': 'PostalAddress';
  streetAddress?: string;
  addressLocality?: string;
  addressRegion?: string;
  postalCode?: string;
  addressCountry?: string;
}

/** Makes the structured data of a venue; `image` is the URL of its picture. */
export function venueJsonLd(
  venue: JsonLdSource,
  { name, description }: JsonLdTexts,
  image: string | false | undefined,
): VenueJsonLd {
  return {
    '@type': 'Place',
    name,
    description,
    ...(image !== undefined && { image }),
    url: '',
    address: addressOf(venue),
    telephone: escHtml(firstMeta(venue, '_VenuePhone') ?? ''),
    sameAs: firstMeta(venue, '_VenueURL') ?? '',
  };
}

function addressOf(venue: JsonLdSource): PostalAddress {
  const read = (key: string): string => escHtml(firstMeta(venue, key) ?? '');
  const region = read('_VenueCountry') === 'United States' ? '_VenueState' : '_VenueProvince';
  const given = firstMeta(venue, '_VenueStateProvince');
  const members = {
    streetAddress: read('_VenueAddress'),
    addressLocality: read('_VenueCity'),
    addressRegion: isPhpEmpty(given) ? read(region) : given,
    postalCode: read('_VenueZip'),
    addressCountry: read('_VenueCountry'),
  };
  const filled = Object.entries(members).filter(([, value]) => !isPhpEmpty(value));
  return { '@type': 'PostalAddress', ...Object.fromEntries(filled) };
}
