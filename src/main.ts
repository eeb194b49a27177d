import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';

// Before anything is loaded that an old Node can not load.
createRequire(import.meta.url)('../bin/node-version.cjs');
// Garbage is looked for when there is two fifths as much of it as of what is used, not three times as much
// (docs/performance.md#memory). The program's business, and so not that of who only imports parts of it.
setFlagsFromString('--heap-growing-percent=40');
import('./app/start.js');
