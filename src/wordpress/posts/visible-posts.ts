import sql, { empty, type Sql } from 'sql-template-tag';
import type { ListVisibility, StatusSet } from '../users/list-visibility.js';
import { inList } from './post-rows.js';

/** The condition that posts of an alias are visible. */
export function within(posts: Sql, { anyAuthor, own }: ListVisibility): Sql {
  const status = sql`${posts}.post_status`;
  const ofAnyAuthor = withStatus(status, anyAuthor);
  if (!own) return ofAnyAuthor;
  return sql`(${ofAnyAuthor} OR (${posts}.post_author = ${own.authorId} AND ${withStatus(status, own.statuses)}))`;
}

/**
 * The condition that the content of posts `p` is accessible: without a password (`0` is none), with the sent one
 * (case-sensitive, unlike column comparisons), or editable by the user.
 */
export function openedBy(password: unknown, editable: ListVisibility): Sql {
  const matches =
    typeof password === 'string'
      ? sql` OR HEX(p.post_password) = ${Buffer.from(password).toString('hex').toUpperCase()}`
      : empty;
  return sql`(p.post_password IN ('', '0')${matches} OR ${within(sql`p`, editable)})`;
}

function withStatus(column: Sql, set: StatusSet): Sql {
  return 'only' in set ? inList(column, set.only) : sql`NOT (${inList(column, set.allBut)})`;
}
