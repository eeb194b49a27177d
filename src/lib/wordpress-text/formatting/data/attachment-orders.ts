/** What attachments can be put in order by. */
export type AttachmentOrder = 'menuOrder' | 'id' | 'title' | 'slug' | 'date';

/** What a gallery or playlist puts attachments in order by, by the words that ask for it. */
export const ATTACHMENT_ORDERS: ReadonlyMap<string, AttachmentOrder> = new Map([
  ['menu_order', 'menuOrder'],
  ['id', 'id'],
  ['title', 'title'],
  ['post_title', 'title'],
  ['name', 'slug'],
  ['post_name', 'slug'],
  ['date', 'date'],
  ['post_date', 'date'],
]);
