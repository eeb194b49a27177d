import sql, { empty, type Sql } from 'sql-template-tag';
import type { ListVisibility, StatusSet } from '../users/list-visibility.js';
import { inList } from './post-rows.js';

/** The posts of an alias that a caller's rights cover. */
export function within(posts: Sql, { everybodys, own }: ListVisibility): Sql {
  const status = sql`${posts}.post_status`;
  const forAll = withStatus(status, everybodys);
  if (!own) return forAll;
  return sql`(${forAll} OR (${posts}.post_author = ${own.authorId} AND ${withStatus(status, own.statuses)}))`;
}

/**
 * The posts `p` whose content the caller may open: without a password (`0` is none), with the one that was sent, to the letter (columns
 * are compared without regard to case), or the caller's to edit.
 */
export function openedBy(password: unknown, editable: ListVisibility): Sql {
  const right =
    typeof password === 'string'
      ? sql` OR HEX(p.post_password) = ${Buffer.from(password).toString('hex').toUpperCase()}`
      : empty;
  return sql`(p.post_password IN ('', '0')${right} OR ${within(sql`p`, editable)})`;
}

function withStatus(column: Sql, set: StatusSet): Sql {
  return 'only' in set ? inList(column, set.only) : sql`NOT (${inList(column, set.allBut)})`;
}
