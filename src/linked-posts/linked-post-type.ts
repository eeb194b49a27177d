/** What tells venues and organizers apart wherever they are handled alike. */
export interface LinkedPostType {
  /** `post_type`. */
  type: string;
  /** Its singular, as error codes and the name field have it. */
  word: 'venue' | 'organizer';
  /** Its plural: path segment and list member. */
  plural: 'venues' | 'organizers';
  /** Meta key of an event that holds the link. */
  linkKey: string;
  /** Meta keys that lists search besides title, content and excerpt. */
  searchedMeta: readonly string[];
}
