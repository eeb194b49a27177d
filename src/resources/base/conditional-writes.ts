import type { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transactions.js';
import type { RequestContext } from '../../http/request-context.js';
import { parseWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import { sanitizeTitle } from '../../lib/wordpress-text/formatting/sanitize-title.js';
import type { PostRecord } from '../../wordpress/posts/post-record.js';
import type { PostsService } from '../../wordpress/posts/posts.service.js';
import type { TermRecord } from '../../wordpress/terms/term-record.js';
import type { TermsService } from '../../wordpress/terms/terms.service.js';
import { postTag, termTag } from './record-tag.js';

type Conditional = Pick<RequestContext, 'preconditions'>;

/** Throws 412 if a post is not in the state that the request's conditions name; within a transaction they end with it. */
export async function checkPost(
  database: Database,
  post: PostRecord,
  { preconditions }: Conditional,
  transaction?: Transaction,
): Promise<void> {
  if (!preconditions?.areFor(`${post.type} ${post.id}`)) return;
  const tag = await postTag(database, post, transaction?.manager);
  const seconds = parseWallClock(post.modifiedGmt);
  preconditions.checkExisting({ tag, modifiedAt: seconds === undefined ? undefined : seconds * 1000 });
  transaction?.afterCommit(() => preconditions.end());
}

/** The same of a term, whose time of change is unknown. */
export async function checkTerm(
  database: Database,
  term: TermRecord,
  { preconditions }: Conditional,
  transaction: Transaction,
): Promise<void> {
  if (!preconditions?.areFor(`${term.taxonomy} ${term.id}`)) return;
  preconditions.checkExisting({ tag: await termTag(database, term, transaction.manager) });
  transaction.afterCommit(() => preconditions.end());
}

/** Throws 412 for a new post whose slug is taken, if the request excludes that. */
export async function checkNewPost(
  posts: PostsService,
  { type }: { type: string },
  { slug }: { slug?: string },
  context: Conditional,
  transaction: Transaction,
): Promise<void> {
  const find = (name: string) => posts.idBySlug(type, name, transaction.manager);
  await checkNew(type, slug ? () => find(slug) : undefined, context, transaction);
}

/** The same of a new term. */
export async function checkNewTerm(
  terms: TermsService,
  { taxonomy }: { taxonomy: string },
  { slug }: { slug?: string },
  context: RequestContext,
  transaction: Transaction,
): Promise<void> {
  const { locale } = context.settings.render;
  const list = { taxonomy, orderBy: 'id', direction: 'ASC', reading: transaction } as const;
  const find = async (name: string) =>
    (await terms.list({ ...list, slug: sanitizeTitle(name, { locale }) }))[0];
  await checkNew(taxonomy, slug ? () => find(slug) : undefined, context, transaction);
}

async function checkNew(
  type: string,
  find: (() => Promise<unknown>) | undefined,
  { preconditions }: Conditional,
  transaction: Transaction,
): Promise<void> {
  if (!preconditions?.areFor(`new ${type}`)) return;
  await preconditions.checkNew(find);
  transaction.afterCommit(() => preconditions.end());
}
