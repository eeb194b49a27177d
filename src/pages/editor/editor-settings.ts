/** Settings of the script (web/editor) in `data-` attributes, readable without signing in; none is secret. */
export interface EditorSettings {
  /** The REST root, seen from the page, without a slash behind. */
  rest: string;
  /** The interface's namespace below it. */
  namespace: string;
  /** The site's time zone as events store it. */
  zone: string;
  /** On which day weeks begin, from 0, Sunday, to 6. */
  firstDay: number;
  /** Whether the server refuses every write. */
  readOnly: boolean;
  /** Days that what is trashed is kept; 0 deletes at once. */
  trashDays: number;
  imageUrls: boolean;
  /** Why recurring events are not written here; empty where they are. */
  recurrenceOff: string;
  /** Where the session is begun, read and ended, seen from the page. */
  session: string;
  /** Where the forms of plugins are read, seen from the page; empty without any. */
  forms: string;
}
