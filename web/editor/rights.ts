import type { Kind, Resource, Row } from './model.js';
import type { Session } from './session.js';

// The server decides; here stands what is worth offering (docs/behaviour/capabilities.md).

const TERM_RIGHTS: Readonly<Record<Kind, readonly string[]>> = {
  categories: ['edit_tribe_events', 'publish_tribe_events'],
  tags: ['edit_tribe_events', 'manage_categories'],
};

const ofType = (session: Session, right: string, plural = '') => session.can(`${right}_${plural}`);

/** Whether the user may make records of a kind. */
export function mayCreate(session: Session, { kind, isTerm, capabilities, isHidden }: Resource): boolean {
  if (isHidden) return false;
  if (isTerm) return TERM_RIGHTS[kind]?.every((right) => session.can(right)) ?? false;
  return ofType(session, 'edit', capabilities);
}

/** Whether the user may publish records, by the plural in their capabilities. */
export const mayPublish = (session: Session, plural?: string) => ofType(session, 'publish', plural);

/** Whether the user may make others the authors of records, by the plural in their capabilities. */
export const mayEditOthers = (session: Session, plural?: string) => ofType(session, 'edit_others', plural);

/** Whether the user may change a record, or move it to the trash. */
export function may(session: Session, operation: 'edit' | 'delete', resource: Resource, row: Row): boolean {
  if (resource.isTerm) return mayCreate(session, resource);
  const has = (right: string) => ofType(session, right, resource.capabilities);
  const state =
    row['status'] === 'private' ? 'private' : /^(publish|future)$/.test(String(row['status'])) && 'published';
  const isOwn = Number(row['author']) === session.id;
  if (!has(operation) || (!isOwn && !has(`${operation}_others`))) return false;
  if (state === 'private') return isOwn ? has(`${operation}_published`) : has(`${operation}_private`);
  return state !== 'published' || has(`${operation}_published`);
}
