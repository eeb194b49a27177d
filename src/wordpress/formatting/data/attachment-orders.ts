/** What a gallery or playlist puts attachments in order by, by the words that ask for it. */
export const ATTACHMENT_ORDERS: ReadonlyMap<string, 'menuOrder' | 'id' | 'title' | 'slug' | 'date'> = new Map(
  [
    ['menu_order', 'menuOrder'],
    ['id', 'id'],
    ['title', 'title'],
    ['post_title', 'title'],
    ['name', 'slug'],
    ['post_name', 'slug'],
    ['date', 'date'],
    ['post_date', 'date'],
  ],
);
