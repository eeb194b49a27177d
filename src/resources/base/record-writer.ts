import type { Transaction } from '../../database/transactions.js';
import type { WriteContext } from '../../http/request-context.js';
import type { PostRecord } from '../../wordpress/posts/post-record.js';
import type { WritableStatus } from '../../wordpress/posts/post-statuses.js';
import type { StoreImage } from './images.js';

/** Input of any post write; undefined was not sent. */
export interface PostInput {
  author?: number;
  status?: WritableStatus;
  slug?: string;
  /** Id of an attachment or a URL; '' removes the featured image. */
  image?: string;
}

/** Result of a create. */
export interface CreateResult {
  id: number;
  /** Whether the record is new; a found record may have changed. */
  isNew: boolean;
  /** Set on a found record that the caller may not edit: nothing was written. */
  isUnchanged?: boolean;
  /** A found record before the write; loaded for plugins alone. */
  before?: PostRecord;
}

export type WriteArgs<Fields> = [fields: Fields, context: WriteContext, storeImage: StoreImage];

/** Writes the rows of a resource's records, inside the transaction of a write. */
export interface RecordWriter<Fields> {
  /** The values that a create or an update leads to, for plugins that validate them; throws for invalid ones. */
  values?(
    transaction: Transaction,
    before: PostRecord | undefined,
    fields: Fields,
    context: WriteContext,
  ): Promise<object>;
  /** Inserts a record, or finds the existing one that the input names. */
  insert(transaction: Transaction, ...args: WriteArgs<Fields>): Promise<CreateResult>;
  /** Updates a record; fields that were not sent stay (W1). */
  update(transaction: Transaction, before: PostRecord, ...args: WriteArgs<Fields>): Promise<void>;
  trash(transaction: Transaction, before: PostRecord, context: WriteContext): Promise<void>;
  /** Deletes a record permanently, from the trash or on a site without one. */
  remove(transaction: Transaction, before: PostRecord, context: WriteContext): Promise<void>;
}
