import type { DeclaredField } from './declared-field.js';
import type { PostResource } from './resource.js';

/** Other records that a record names by their ids; meta rows hold these, as those of references (docs/extending.md#relations). */
export interface Relation {
  /** The resource of the other records. */
  to: PostResource;
  /** Whether there may be several, whose order is kept; up to 100. */
  many?: boolean;
  /** Meta key with a row per record. */
  meta: string;
  description: string;
  /** Whether new records need it, and updates must not remove it. */
  required?: boolean;
  /**
   * When the other record goes to the trash: `keep` hides it until it is restored, `clear` removes it for good, `refuse`
   * forbids that with 409. Its final deletion always removes it.
   */
  onTrash?: 'keep' | 'clear' | 'refuse';
  /** Whether a password-locked record still shows it. */
  visibleWhenLocked?: boolean;
  /** Capability needed to see it and to filter by it. */
  readableBy?: string;
  /** Capability needed to write it. */
  writableBy?: string;
}

/** Relations by their names in responses and request bodies. */
export type Relations = Readonly<Record<string, Relation>>;

/** The field that stores a relation. */
export function relationField(
  { to, many = false, onTrash: _onTrash, ...options }: Relation,
  filter: boolean,
): DeclaredField {
  return many
    ? { ...options, type: 'list', items: { type: 'reference', to }, filter }
    : { ...options, type: 'reference', to, filter };
}
