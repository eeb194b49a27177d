import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const DIST = join(__dirname, '..', '..', 'dist');

/** The compiled file of a worker in `src`; `path` is without its ending, such as `auth/hash-worker`. */
export const compiledWorker = (path: string): URL => pathToFileURL(join(DIST, `${path}.js`));
