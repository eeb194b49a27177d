import { Html } from '../../lib/html.js';
import { truncate } from '../../lib/truncate.js';
import { ksesAllowlist } from '../../lib/wordpress-text/formatting/data/kses-allowlist.js';
import { htmlEntityDecode } from '../../lib/wordpress-text/formatting/html-entity-decode.js';
import { withoutScriptsAndStyles } from '../../lib/wordpress-text/formatting/php-strings.js';
import { webAddress } from '../../lib/wordpress-text/formatting/web-address.js';
import { wpKses } from '../../lib/wordpress-text/formatting/wp-kses.js';
import { plainText } from '../../resources/events/event-entry.js';
import type { EventJson } from '../../resources/events/event-json.js';
import { truncateHtml, truncateWithEllipsis } from '../../resources/events/truncate-html.js';
import type { VenueJson } from '../../resources/venues/venue.response.js';
import type { Position } from '../../resources/venues/venue-places.service.js';

const STRUCTURE =
  'p br hr ul ol li dl dt dd figure figcaption blockquote pre code h1 h2 h3 h4 h5 h6 table thead tbody tr th td strong b em i u s sub sup small mark';
/** Allowed HTML in descriptions: text, structure and images, even for authors with more rights. */
const SHOWN = ksesAllowlist([
  ['a', 'href'],
  ['img', 'src alt width height'],
  [STRUCTURE, ''],
]);

/** The plain text of an HTML member; empty if masked. */
export function plain(html: unknown): string {
  if (typeof html !== 'string') return '';
  return plainText(truncateHtml(html)).replace(/\s+/g, ' ').trim();
}

/** Plain text cut after a word. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = truncate(text, most);
  return `${truncate(cut, Math.max(cut.lastIndexOf(' '), Math.floor(most / 2)))}…`;
}

/**
 * Sanitizes a description: no scripts, styles and frames, no images but those below the URL of the site's uploads; its
 * headings rank below the event's.
 */
export function safeDescription(html: unknown, { uploads }: { uploads: string }): Html | undefined {
  if (typeof html !== 'string') return undefined;
  const safe = truncateWithEllipsis(html, (text) =>
    wpKses(withoutScriptsAndStyles(text), SHOWN)
      .replace(/<(\/?)h[1-6]>/gi, '<$1h3>')
      .replace(/<a(?= )/gi, '<a rel="nofollow noopener"')
      .replace(/<img\b[^>]*>/gi, (tag) => ownImage(tag, uploads)),
  );
  return plain(safe) === '' && !safe.includes('<img ') ? undefined : new Html(safe);
}

/** A cleaned image that loads late; nothing for one from elsewhere. */
function ownImage(tag: string, uploads: string): string {
  const source = htmlEntityDecode(/ src="([^"]*)"/i.exec(tag)?.[1] ?? '');
  const isOwn = withoutScheme(source).startsWith(`${withoutScheme(uploads)}/`);
  return isOwn ? tag.replace(/^<img/i, '<img loading="lazy"') : '';
}

/** Sites that moved to HTTPS have texts from before. */
const withoutScheme = (url: string): string => url.replace(/^https?:/i, '').replace(/\/$/, '');

/** The parts of a venue's address. */
export function addressOf({
  address,
  zip,
  city,
  stateprovince,
  state,
  province,
  country,
}: VenueJson): string[] {
  const place = [plain(zip), plain(city)].filter(Boolean).join(' ');
  const region = plain(stateprovince) || plain(state) || plain(province);
  return [plain(address), place, region, plain(country)].filter(Boolean);
}

/** A link to a map of a venue, which loads nothing until it is followed; undefined if its place is unknown. */
export function mapLink(venue: VenueJson, position?: Position): string | undefined {
  if (position) {
    const { latitude, longitude } = position;
    return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  }
  const [address, name] = [addressOf(venue), plain(venue.venue)];
  if (address.length === 0) return undefined;
  // A city alone needs the venue's name to be found.
  const searched = address.length > 1 || name === '' ? address : [name, ...address];
  return `https://www.openstreetmap.org/search?query=${encodeURIComponent(searched.join(', '))}`;
}

/** A record that may have an image. */
export interface WithImage {
  image?: EventJson['image'];
}

/** URL of a record's image in a size that fits the page, or in a smaller one. */
export function imageOf({ image }: WithImage, size = 'large'): string | undefined {
  if (!image) return undefined;
  const sizes = image['sizes'] as Record<string, { url?: unknown }> | undefined;
  return webAddress(sizes?.[size]?.url ?? sizes?.['medium_large']?.url ?? image.url);
}
