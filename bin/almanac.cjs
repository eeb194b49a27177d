#!/usr/bin/env node
// Starts the server, or does what the words after the name say; everything else is said by the environment (README.md,
// Configuration).
require('./node-version.cjs');
process.setSourceMapsEnabled(true);
const words = process.argv.slice(2);
if (words.length === 0) import('../dist/main.js');
else import('../dist/cli/run.js').then(({ run }) => run(words));
