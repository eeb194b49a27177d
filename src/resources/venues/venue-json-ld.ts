import { escHtml } from '../../lib/wordpress-text/formatting/esc-html.js';
import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import { firstMeta, type JsonLdSource, type JsonLdTexts } from '../../wordpress/posts/post-record.js';

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
