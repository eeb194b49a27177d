import type { HashJob } from './hash-pool.js';
import { checkSlowHash } from './slow-hash.js';

/** What a thread of the pool answers to each job: whether the password fits. */
export default ({ password, hash }: HashJob): boolean => checkSlowHash(password, hash);
