/** A status: `public` posts are readable by everyone, `hidden` ones are excluded from `any`. */
export interface PostStatus {
  public?: true;
  /** Links stay plain although it is public. */
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

/** The statuses that writes accept (W8). */
export const WRITABLE_STATUSES = ['publish', 'future', 'draft', 'pending', 'private'] as const;

export type WritableStatus = (typeof WRITABLE_STATUSES)[number];
