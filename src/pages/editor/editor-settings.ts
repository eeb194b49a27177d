/** Settings of the script (web/editor) in `data-` attributes, readable without signing in; none is secret. */
export interface EditorSettings {
  /** The REST root, seen from the page, without a slash behind. */
  rest: string;
  /** The interface's namespace below it. */
  namespace: string;
  /** The site's time zone as events store it. */
  zone: string;
  /** Whether the server refuses every write. */
  readOnly: boolean;
  /** Days that what is trashed is kept; 0 deletes at once. */
  trashDays: number;
  /** Whether images are taken by URL. */
  imageUrls: boolean;
}
