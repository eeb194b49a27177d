import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const DIST = join(__dirname, '..', '..', 'dist');

/** The compiled file of a worker; `path` is relative to `src`, without extension, such as `auth/hash-worker`. */
export const compiledWorker = (path: string): URL => pathToFileURL(join(DIST, `${path}.js`));
