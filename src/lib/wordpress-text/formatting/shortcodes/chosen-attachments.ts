import { asInteger } from '../../php-serialize.js';
import { ATTACHMENT_ORDERS, type AttachmentOrder } from '../data/attachment-orders.js';
import type { Attachment, RenderContext } from '../render-context.js';
import { idList, type ShortcodeAttributes } from './shortcode-attributes.js';

/**
 * The attachments of one kind (`image`, `audio`, `video`) that a gallery or playlist shows: those of `ids` or `include`,
 * else those attached to the post of `id`, which is the unattached ones when there is none. Nothing that the reader may not
 * see, and nothing at all for a post that is hidden from the reader.
 */
export function chosenAttachments(
  attributes: ShortcodeAttributes,
  kind: string,
  { attachments, hiddenParents }: RenderContext,
): Attachment[] {
  const ids = attributes.get('ids') ?? '';
  const wanted = idList(ids || (attributes.get('include') ?? ''));
  const isOfKind = ({ mimeType, isHidden }: Attachment) => !isHidden && mimeType.startsWith(`${kind}/`);
  const parentId = asInteger(attributes.get('id') ?? '');
  if (hiddenParents?.has(parentId)) return [];
  const excluded = new Set(idList(attributes.get('exclude') ?? ''));
  const found =
    wanted.length > 0
      ? wanted.flatMap((id) => attachments.get(id) ?? [])
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
