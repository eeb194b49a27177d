import type { HashJob } from './password-hash.js';
import { checkSlowHash } from './slow-hash.js';

/** The job of a worker thread: checks a slow hash. */
export default ({ password, hash }: HashJob): boolean => checkSlowHash(password, hash);
