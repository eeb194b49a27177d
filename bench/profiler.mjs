// Loaded into a server with --import: a path that the parent sends begins a CPU profile, which is written there once
// the parent sends it again.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

const session = new Session();
session.connect();
await session.post('Profiler.enable');
let going = false;

process.on('message', async (path) => {
  going = !going;
  if (going) await session.post('Profiler.start');
  else writeFileSync(path, JSON.stringify((await session.post('Profiler.stop')).profile));
  process.send(path);
});
process.channel.unref();
