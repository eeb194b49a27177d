import { parentPort } from 'node:worker_threads';
import type { HashJob } from './hash-pool.js';
import { checkSlowHash } from './slow-hash.js';

/** A thread of the pool: answers each job with whether the password fits. */
parentPort?.on('message', ({ password, hash }: HashJob) => {
  parentPort?.postMessage(checkSlowHash(password, hash));
});
