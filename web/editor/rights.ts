import type { Kind, Resource, Row } from './model.js';
import type { Session } from './session.js';

// The server decides; here stands what is worth offering (docs/behaviour/capabilities.md).

const TERM_RIGHTS: Partial<Record<Kind, readonly string[]>> = {
  categories: ['edit_tribe_events', 'publish_tribe_events'],
  tags: ['edit_tribe_events', 'manage_categories'],
};

const ofKind = (session: Session, right: string, kind: Kind) => session.can(`${right}_tribe_${kind}`);

/** Whether the user may make records of a kind. */
export function mayCreate(session: Session, kind: Kind): boolean {
  return TERM_RIGHTS[kind]?.every((right) => session.can(right)) ?? ofKind(session, 'edit', kind);
}

/** Whether the user may publish records of a kind. */
export const mayPublish = (session: Session, kind: Kind) => ofKind(session, 'publish', kind);

/** Whether the user may make others the authors of records of a kind. */
export const mayEditOthers = (session: Session, kind: Kind) => ofKind(session, 'edit_others', kind);

/** Whether the user may change a record, or move it to the trash. */
export function may(
  session: Session,
  operation: 'edit' | 'delete',
  { kind, isTerm }: Resource,
  row: Row,
): boolean {
  if (isTerm) return mayCreate(session, kind);
  const has = (right: string) => ofKind(session, right, kind);
  const state =
    row['status'] === 'private' ? 'private' : /^(publish|future)$/.test(String(row['status'])) && 'published';
  const isOwn = Number(row['author']) === session.id;
  if (!has(operation) || (!isOwn && !has(`${operation}_others`))) return false;
  if (state === 'private') return isOwn ? has(`${operation}_published`) : has(`${operation}_private`);
  return state !== 'published' || has(`${operation}_published`);
}
