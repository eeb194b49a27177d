/** English names of the editor's records inside sentences. */
export const NOUNS_EN = {
  event: 'event',
  events: 'events',
  venue: 'venue',
  venues: 'venues',
  organizer: 'organizer',
  organizers: 'organizers',
  category: 'category',
  categories: 'categories',
  tag: 'tag',
  tags: 'tags',
  authors: 'authors',
  images: 'images',
};
