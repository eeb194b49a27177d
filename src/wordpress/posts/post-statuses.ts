/** Whether whoever may read at all may read what has a status, and whether "any" leaves it out. */
export interface PostStatus {
  public?: true;
  /** Links are plain all the same: where links are made, the status is not registered. */
  plainLinks?: true;
  hidden?: true;
}

/** WordPress's own statuses; modules register theirs in `ContentTypes`. */
export const POST_STATUSES: Readonly<Record<string, PostStatus>> = {
  publish: { public: true },
  future: {},
  draft: {},
  pending: {},
  private: {},
  trash: { hidden: true },
  'auto-draft': { hidden: true },
  inherit: {},
  'request-pending': {},
  'request-confirmed': {},
  'request-failed': {},
  'request-completed': {},
  'in-progress': {},
  failed: {},
};

/** The statuses that a create or update may name (W8). */
export const WRITABLE_STATUSES = ['publish', 'future', 'draft', 'pending', 'private'] as const;

/** A status that a create or update may name. */
export type WritableStatus = (typeof WRITABLE_STATUSES)[number];
