#!/usr/bin/env node
// Starts the server; everything is said by the environment (README.md, Configuration).
require('./node-version.cjs');
process.setSourceMapsEnabled(true);
import('../dist/main.js');
