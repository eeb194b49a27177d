#!/usr/bin/env node
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  console.error('almanac-mcp is not built yet: run "npm run build -w almanac-mcp" in the folder of Almanac.');
  process.exitCode = 1;
}
