/** Every registered status: whether whoever may read at all may read what has it, and whether "any" leaves it out. */
export const POST_STATUSES: Readonly<Record<string, { public?: true; hidden?: true }>> = {
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
  'tribe-ea-success': { public: true },
  'tribe-ea-failed': { public: true },
  'tribe-ea-schedule': { public: true },
  'tribe-ea-pending': { public: true },
  'tribe-ea-draft': { public: true },
  'tribe-ignored': {},
};

/** The names that a list's `status` may hold. */
export const REGISTERED_STATUSES: readonly string[] = Object.keys(POST_STATUSES);

/** What a list leaves out unless it is asked for by name. */
export const HIDDEN_STATUSES: readonly string[] = REGISTERED_STATUSES.filter(
  (status) => POST_STATUSES[status]?.hidden,
);

/** The statuses that a create or update may name (W8). */
export const WRITABLE_STATUSES = ['publish', 'future', 'draft', 'pending', 'private'] as const;
