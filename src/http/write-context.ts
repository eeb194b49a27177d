import type { Transaction } from '../database/transactions.js';
import type { RequestContext } from './request-context.js';

/** The context of a request that changes records: everything that it writes goes through one transaction. */
export interface WriteContext extends RequestContext {
  transaction: Transaction;
}
