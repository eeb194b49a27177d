/** The callers, in the order of the columns below; the last four carry invalid credentials. */
export const CALLERS = [
  'anonymous',
  'subscriber',
  'contributor',
  'author',
  'editor',
  'administrator',
  'wrong password',
  'revoked application password',
  'cookie without nonce',
  'expired nonce',
] as const;
export const OWNERS = ['own', 'other'] as const;
/** `trash`: never published before; `password`: published and protected, requested without the password. */
export const STATUSES = ['publish', 'draft', 'pending', 'private', 'future', 'trash', 'password'] as const;
export const OPERATIONS = ['read', 'list', 'update', 'delete'] as const;
export const TYPES = ['event', 'venue', 'organizer', 'category', 'tag'] as const;
export const ROUTES = ['id', 'slug'] as const;

/** One combination. */
export interface Cell {
  caller: (typeof CALLERS)[number];
  owner: (typeof OWNERS)[number];
  status: (typeof STATUSES)[number];
  operation: (typeof OPERATIONS)[number];
  type: (typeof TYPES)[number];
  route: (typeof ROUTES)[number];
}

/** Words of the tables: status and error code; `TYPE` stands for event, venue or organizer. */
const WORDS: Readonly<Record<string, string>> = {
  ok: '200',
  shown: '200 shown',
  absent: '200 absent',
  hidden: '403 TYPE-not-accessible',
  gone: '403 event-no-longer-available',
  locked: '403 event-password-protected',
  login: '401 rest_forbidden',
  no: '403 rest_forbidden',
  trashed: '410 TYPE-is-in-trash',
  refused: '400 rest_invalid_param',
  wrong: '401 incorrect_password',
  nonce: '403 rest_cookie_invalid_nonce',
};

// Columns: anonymous, subscriber, contributor, author, editor, administrator | wrong password, revoked application
// password (both an author's), cookie without nonce, expired nonce (both an administrator's). `-`: does not exist.

/**
 * GET of one event (docs/behaviour/visibility.md#reading-one-record and
 * docs/behaviour/capabilities.md#rights-on-a-record: one's own is readable, whatever its status but trash; passwords
 * bind all).
 */
const READ_EVENT = `
  publish  own    -      ok     ok     ok     ok     ok     | wrong wrong ok     nonce
  publish  other  ok     ok     ok     ok     ok     ok     | wrong wrong ok     nonce
  draft    own    -      ok     ok     ok     ok     ok     | wrong wrong hidden nonce
  draft    other  hidden hidden hidden hidden ok     ok     | wrong wrong hidden nonce
  pending  own    -      ok     ok     ok     ok     ok     | wrong wrong hidden nonce
  pending  other  hidden hidden hidden hidden ok     ok     | wrong wrong hidden nonce
  private  own    -      ok     ok     ok     ok     ok     | wrong wrong hidden nonce
  private  other  hidden hidden hidden hidden ok     ok     | wrong wrong hidden nonce
  future   own    -      ok     ok     ok     ok     ok     | wrong wrong hidden nonce
  future   other  hidden hidden hidden hidden ok     ok     | wrong wrong hidden nonce
  trash    own    -      gone   gone   gone   gone   gone   | wrong wrong gone   nonce
  trash    other  gone   gone   gone   gone   gone   gone   | wrong wrong gone   nonce
  password own    -      locked locked locked locked locked | wrong wrong locked nonce
  password other  locked locked locked locked locked locked | wrong wrong locked nonce`;

/**
 * GET of one venue or organizer (docs/behaviour/visibility.md#passwords,
 * docs/behaviour/capabilities.md#rights-by-operation and docs/behaviour/capabilities.md#rights-on-a-record): trashed
 * ones like drafts, protected ones masked.
 */
const READ_LINKED = `
  publish  own    -      ok     ok     ok     ok     ok     | wrong wrong ok     nonce
  publish  other  ok     ok     ok     ok     ok     ok     | wrong wrong ok     nonce
  draft    own    -      ok     ok     ok     ok     ok     | wrong wrong hidden nonce
  draft    other  hidden hidden hidden hidden ok     ok     | wrong wrong hidden nonce
  pending  own    -      ok     ok     ok     ok     ok     | wrong wrong hidden nonce
  pending  other  hidden hidden hidden hidden ok     ok     | wrong wrong hidden nonce
  private  own    -      ok     ok     ok     ok     ok     | wrong wrong hidden nonce
  private  other  hidden hidden hidden hidden ok     ok     | wrong wrong hidden nonce
  future   own    -      ok     ok     ok     ok     ok     | wrong wrong hidden nonce
  future   other  hidden hidden hidden hidden ok     ok     | wrong wrong hidden nonce
  trash    own    -      ok     ok     ok     ok     ok     | wrong wrong hidden nonce
  trash    other  hidden hidden hidden hidden ok     ok     | wrong wrong hidden nonce
  password own    -      ok     ok     ok     ok     ok     | wrong wrong ok     nonce
  password other  ok     ok     ok     ok     ok     ok     | wrong wrong ok     nonce`;

/**
 * Whether the list of the type shows the record (R1), asked without a status, for trash with `status=trash`. Who may
 * not edit the type is shown what is published, and may not ask for another status (docs/behaviour/lists.md#statuses).
 */
const LIST = `
  publish  own    -       shown   shown  shown  shown shown | wrong wrong shown   nonce
  publish  other  shown   shown   shown  shown  shown shown | wrong wrong shown   nonce
  draft    own    -       absent  shown  shown  shown shown | wrong wrong absent  nonce
  draft    other  absent  absent  absent absent shown shown | wrong wrong absent  nonce
  pending  own    -       absent  shown  shown  shown shown | wrong wrong absent  nonce
  pending  other  absent  absent  absent absent shown shown | wrong wrong absent  nonce
  private  own    -       absent  shown  shown  shown shown | wrong wrong absent  nonce
  private  other  absent  absent  absent absent shown shown | wrong wrong absent  nonce
  future   own    -       absent  shown  shown  shown shown | wrong wrong absent  nonce
  future   other  absent  absent  absent absent shown shown | wrong wrong absent  nonce
  trash    own    -       refused shown  shown  shown shown | wrong wrong refused nonce
  trash    other  refused refused absent absent shown shown | wrong wrong refused nonce
  password own    -       shown   shown  shown  shown shown | wrong wrong shown   nonce
  password other  shown   shown   shown  shown  shown shown | wrong wrong shown   nonce`;

/**
 * PUT (docs/behaviour/capabilities.md#rights-on-a-record, docs/behaviour/capabilities.md#in-a-table and
 * docs/behaviour/capabilities.md#rights-by-operation).
 */
const UPDATE = `
  publish  own    -     no no ok ok ok | wrong wrong login nonce
  publish  other  login no no no ok ok | wrong wrong login nonce
  draft    own    -     no ok ok ok ok | wrong wrong login nonce
  draft    other  login no no no ok ok | wrong wrong login nonce
  pending  own    -     no ok ok ok ok | wrong wrong login nonce
  pending  other  login no no no ok ok | wrong wrong login nonce
  private  own    -     no ok ok ok ok | wrong wrong login nonce
  private  other  login no no no ok ok | wrong wrong login nonce
  future   own    -     no no ok ok ok | wrong wrong login nonce
  future   other  login no no no ok ok | wrong wrong login nonce
  trash    own    -     no ok ok ok ok | wrong wrong login nonce
  trash    other  login no no no ok ok | wrong wrong login nonce
  password own    -     no no ok ok ok | wrong wrong login nonce
  password other  login no no no ok ok | wrong wrong login nonce`;

/** DELETE: the same capabilities; a record in the trash answers 410 to those who have them. */
const DELETE = UPDATE.replace(/trash .*/g, (row) => row.replaceAll('ok', 'trashed'));

/**
 * Terms (docs/behaviour/capabilities.md#rights-by-operation): categories are for who may publish events, tags for who
 * manages categories of the site.
 */
const TERMS = `
  read   category  ok    ok    ok    ok    ok    ok    | wrong wrong ok    nonce
  read   tag       ok    ok    ok    ok    ok    ok    | wrong wrong ok    nonce
  list   category  shown shown shown shown shown shown | wrong wrong shown nonce
  list   tag       shown shown shown shown shown shown | wrong wrong shown nonce
  update category  login no    no    ok    ok    ok    | wrong wrong login nonce
  update tag       login no    no    no    ok    ok    | wrong wrong login nonce
  delete category  login no    no    ok    ok    ok    | wrong wrong login nonce
  delete tag       login no    no    no    ok    ok    | wrong wrong login nonce`;

/** The word in a caller's column of the row that begins with these two words; undefined without one. */
function word(table: string, row: string, column: string, caller: Cell['caller']): string | undefined {
  const rows = table.trim().split('\n');
  const cells = rows.map((line) => line.replace('|', ' ').trim().split(/\s+/));
  return cells.find(([one, two]) => one === row && two === column)?.slice(2)[CALLERS.indexOf(caller)];
}

/** The expected result of a combination: `STATUS`, `STATUS CODE` or `n/a: REASON`. */
export function expected({ caller, owner, status, operation, type, route }: Cell): string {
  const isTerm = type === 'category' || type === 'tag';
  if (isTerm && status !== 'publish') return 'n/a: a term has no status';
  if (isTerm && owner === 'own') return 'n/a: a term has no owner';
  if (isTerm && route === 'slug') return 'n/a: a term has no route by slug';
  if (operation === 'list' && route === 'slug') return 'n/a: a list names no record';
  if (caller === 'anonymous' && owner === 'own') return 'n/a: nobody owns a record';
  // The same by slug as by id (W5).
  const read = type === 'event' ? READ_EVENT : READ_LINKED;
  const found = isTerm
    ? word(TERMS, operation, type, caller)
    : word({ read, list: LIST, update: UPDATE, delete: DELETE }[operation], status, owner, caller);
  const meaning = WORDS[found ?? ''];
  if (!meaning) throw new Error(`no entry for ${[caller, owner, status, operation, type, route].join(', ')}`);
  return meaning.replace('TYPE', type);
}
