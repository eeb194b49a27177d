import { asInteger } from '../php-serialize.js';
import { idList, shortcodeAttributes } from './shortcodes/shortcode-attributes.js';

/** Which attachments must be loaded before texts can be rendered. */
export interface AttachmentsInTexts {
  ids: number[];
  /** All that are attached to no post. */
  unattached: boolean;
  /** All that are attached to these posts. */
  parents: number[];
}

/** Of texts that name none. */
export const NO_ATTACHMENTS: AttachmentsInTexts = { ids: [], unattached: false, parents: [] };

const IMAGE_CLASS = /wp-image-(\d+)/gi;
const LISTS = /\[(?:gallery|playlist)(?![\w-])([^\]]*)/g;

/** Finds them without rendering; it may name more than rendering will look up, never less. */
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
      // Rendering puts a `<br />` at a line end, which may hide an attribute.
      else if (wanted.length === 0 || source.includes('\n')) unattached = true;
    }
  }
  return { ids: [...ids], unattached, parents: [...parents] };
}
