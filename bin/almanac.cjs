#!/usr/bin/env node
// Starts the server, or does what the words after the name say; everything else is said by the environment
// (docs/configuration.md).
require('./node-version.cjs');
const { existsSync } = require('node:fs');
const { join } = require('node:path');
if (!existsSync(join(__dirname, '../dist/main.js'))) {
  console.error('Almanac is not built yet: run "npm run build" in ' + join(__dirname, '..') + '.');
  process.exit(1);
}
const words = process.argv.slice(2);
if (words.length === 0) import('../dist/main.js');
else if (words.length === 1 && ['--version', '-V'].includes(words[0])) {
  // Without loading the commands, which takes a second.
  console.log(require('../package.json').version);
} else {
  process.setSourceMapsEnabled(true);
  import('../dist/cli/run.js').then(({ run }) => run(words));
}
