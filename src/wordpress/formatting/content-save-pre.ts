import { balanceTags } from './balance-tags.js';
import { convertInvalidEntities } from './convert-chars.js';
import { wpKsesPost } from './wp-kses-post.js';

/** Facts of the site that saving reads. */
export interface SaveSite {
  /** Public base of the uploads folder, without a slash at its end: embedded PDF files must lie there. */
  uploadsUrl?: string;
  /** Option `use_balanceTags`. */
  useBalanceTags?: boolean;
}

/** A post's content as it is stored: entities repaired, and without the author's `unfiltered` right only post HTML. */
export function contentSavePre(text: string, unfiltered: boolean, site: SaveSite = {}): string {
  const repaired = convertInvalidEntities(text);
  return balanceTags(unfiltered ? repaired : wpKsesPost(repaired, site.uploadsUrl), site.useBalanceTags);
}

/** A post's excerpt as it is stored: the same rules as `contentSavePre`. */
export function excerptSavePre(text: string, unfiltered: boolean, site: SaveSite = {}): string {
  return contentSavePre(text, unfiltered, site);
}
