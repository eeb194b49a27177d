import { createRequire } from 'node:module';

// Before anything is loaded that an old Node can not load.
createRequire(import.meta.url)('../bin/node-version.cjs');
import('./start.js');
