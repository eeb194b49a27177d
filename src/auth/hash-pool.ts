import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { checkSlowHash } from './slow-hash.js';

/** One password to check against one stored hash. */
export interface HashJob {
  password: string;
  hash: string;
}

interface Waiting extends HashJob {
  resolve: (fits: boolean) => void;
  reject: (reason: Error) => void;
}

/** Said when more checks wait than can be answered in reasonable time. */
export class HashPoolBusy extends Error {}

const WORKER_FILE = new URL('./hash-worker.js', import.meta.url);
// Tests run from the TypeScript sources, where a thread finds no compiled file to start.
const COMPILED = existsSync(WORKER_FILE);
const MOST_THREADS = Math.min(2, availableParallelism());
const MOST_WAITING = 500;

const idle: Worker[] = [];
const waiting: Waiting[] = [];
let threads = 0;

/** Whether a password fits a costly hash, computed on a worker thread; `HashPoolBusy` when too many wait. */
export function checkOnThread(password: string, hash: string): Promise<boolean> {
  if (!COMPILED) return Promise.resolve().then(() => checkSlowHash(password, hash));
  if (waiting.length >= MOST_WAITING)
    return Promise.reject(new HashPoolBusy('Too many password checks wait.'));
  return new Promise((resolve, reject) => {
    waiting.push({ password, hash, resolve, reject });
    if (idle.length === 0 && threads < MOST_THREADS) start();
    next();
  });
}

function start(): void {
  const worker = new Worker(WORKER_FILE, { name: 'password hashes' });
  threads++;
  idle.push(worker);
  worker.unref();
  worker.once('exit', () => {
    threads--;
    const index = idle.indexOf(worker);
    if (index >= 0) idle.splice(index, 1);
  });
}

function next(): void {
  const worker = waiting.length > 0 ? idle.pop() : undefined;
  const job = worker && waiting.shift();
  if (!worker || !job) return;
  const done = () => {
    worker.removeAllListeners('message').removeAllListeners('error');
    worker.unref();
  };
  worker.once('message', (fits: boolean) => {
    done();
    idle.push(worker);
    job.resolve(fits);
    next();
  });
  worker.once('error', (error) => {
    done();
    job.reject(error);
    if (waiting.length > 0) start();
    next();
  });
  worker.ref();
  worker.postMessage({ password: job.password, hash: job.hash } satisfies HashJob);
}
