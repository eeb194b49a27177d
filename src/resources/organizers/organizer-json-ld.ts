import { escHtml } from '../../lib/wordpress-text/formatting/esc-html.js';
import { escUrl } from '../../lib/wordpress-text/formatting/esc-url.js';
import { firstMeta, type JsonLdSource, type JsonLdTexts } from '../../wordpress/posts/post-record.js';

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
