import { asInteger } from '../php-serialize.js';
import { idList, shortcodeAttributes } from './shortcodes/shortcode.js';

/** The attachments that must be loaded before rendering texts. */
export interface AttachmentsInTexts {
  ids: number[];
  /** Whether all attachments without a parent are needed. */
  unattached: boolean;
  /** Posts all of whose attachments are needed. */
  parents: number[];
}

export const NO_ATTACHMENTS: AttachmentsInTexts = { ids: [], unattached: false, parents: [] };

const IMAGE_CLASS = /wp-image-(\d+)/gi;
const LISTS = /\[(?:gallery|playlist)(?![\w-])([^\]]*)/g;

/** Finds the attachments that rendering may look up; a superset, never fewer. */
export function attachmentsIn(texts: string[]): AttachmentsInTexts {
  const ids = new Set<number>();
  const parents = new Set<number>();
  let unattached = false;
  for (const text of texts) {
    for (const [, id] of text.matchAll(IMAGE_CLASS)) ids.add(Number(id));
    for (const [, source = ''] of text.matchAll(LISTS)) {
      const attributes = shortcodeAttributes(source);
      const wanted = idList(`${attributes.get('ids') ?? ''},${attributes.get('include') ?? ''}`);
      for (const id of wanted) ids.add(id);
      const parentId = asInteger(attributes.get('id') ?? '');
      if (parentId > 0) parents.add(parentId);
      // Rendering inserts `<br />` at line ends, which may hide an attribute.
      else if (wanted.length === 0 || source.includes('\n')) unattached = true;
    }
  }
  return { ids: [...ids], unattached, parents: [...parents] };
}
