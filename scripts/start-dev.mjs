// npm run start:dev: compiles what changes, and starts the server again after each change.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const node = (...args) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });

const compiler = node(join('node_modules', 'typescript', 'bin', 'tsc'), '--watch', '--preserveWatchOutput');
const server = node('--watch', '--enable-source-maps', join('dist', 'main.js'));
compiler.on('exit', () => server.kill());
server.on('exit', () => compiler.kill());
