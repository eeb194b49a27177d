import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';

// Before any module that an old Node cannot load.
createRequire(import.meta.url)('../bin/node-version.cjs');
// Collect when the heap has grown by 40 % (docs/performance.md#memory); only in the program, not in code that imports parts.
setFlagsFromString('--heap-growing-percent=40');
import('./app/start.js');
