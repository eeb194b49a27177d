import { asInteger } from '../../options/php-serialize.js';
import type { Attachment, RenderContext } from '../render-context.js';
import { idList, type ShortcodeAttributes } from './shortcode-attributes.js';

type Order = (a: Attachment, b: Attachment) => number;

const byText = (read: (attachment: Attachment) => string): Order => {
  return (a, b) => compare(read(a).toLowerCase(), read(b).toLowerCase());
};
const BY_TITLE = byText(({ title }) => title);
const BY_NAME = byText(({ slug }) => slug);
const BY_DATE = byText(({ date }) => date);
const ORDERS: Readonly<Record<string, Order>> = {
  menu_order: (a, b) => (a.menuOrder ?? 0) - (b.menuOrder ?? 0),
  id: (a, b) => a.id - b.id,
  title: BY_TITLE,
  post_title: BY_TITLE,
  name: BY_NAME,
  post_name: BY_NAME,
  date: BY_DATE,
  post_date: BY_DATE,
};

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
  const orders = orderBy.split(/[ ,]+/).flatMap((name) => ORDERS[name.toLowerCase()] ?? []);
  const direction = attributes.get('order')?.toUpperCase() === 'DESC' ? -1 : 1;
  return found.filter(isOfKind).sort((a, b) => {
    for (const order of orders) {
      const difference = order(a, b);
      if (difference !== 0) return difference * direction;
    }
    return a.id - b.id;
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
