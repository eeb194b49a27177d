import { asInteger } from '../../php-serialize.js';
import { ATTACHMENT_ORDERS, type AttachmentOrder } from '../data/attachment-orders.js';
import type { Attachment, RenderContext } from '../render-context.js';
import { idList, type ShortcodeAttributes } from './shortcode-attributes.js';

/**
 * The attachments of one kind (`image`, `audio`, `video`) of a gallery or playlist: those of `ids` or `include`, else those
 * attached to the post `id` (0: unattached), without hidden ones; none for a post that this user may not see.
 */
export function chosenAttachments(
  attributes: ShortcodeAttributes,
  kind: string,
  { attachments, hiddenParents }: RenderContext,
): Attachment[] {
  const ids = attributes.get('ids') ?? '';
  const listed = idList(ids || (attributes.get('include') ?? ''));
  const isOfKind = ({ mimeType, isHidden }: Attachment) => !isHidden && mimeType.startsWith(`${kind}/`);
  const parentId = asInteger(attributes.get('id') ?? '');
  if (hiddenParents?.has(parentId)) return [];
  const excluded = new Set(idList(attributes.get('exclude') ?? ''));
  const found =
    listed.length > 0
      ? listed.flatMap((id) => attachments.get(id) ?? [])
      : [...attachments.values()].filter((one) => one.parentId === parentId && !excluded.has(one.id));

  const orderBy = attributes.get('orderby') || (ids ? 'post__in' : 'menu_order ID');
  if (orderBy === 'post__in') return found.filter(isOfKind);
  const orders = orderBy.split(/[ ,]+/).flatMap((name) => ATTACHMENT_ORDERS.get(name.toLowerCase()) ?? []);
  const direction = attributes.get('order')?.toUpperCase() === 'DESC' ? -1 : 1;
  return found.filter(isOfKind).sort((a, b) => {
    const differing = orders.find((order) => rank(a, order) !== rank(b, order));
    if (differing === undefined) return a.id - b.id;
    return rank(a, differing) < rank(b, differing) ? -direction : direction;
  });
}

function rank(attachment: Attachment, order: AttachmentOrder): string | number {
  const value = attachment[order] ?? 0;
  return typeof value === 'string' ? value.toLowerCase() : value;
}
