import cluster from 'node:cluster';
import { Logger } from '@nestjs/common';
import { Workers } from '../cluster/workers.js';
import { Environment } from '../config/env.js';
import { createServer } from './create-server.js';
import { exitWith } from './exit-with.js';
import { localAddress } from './local-address.js';

async function start(): Promise<void> {
  const app = await createServer();
  const env = app.get(Environment);
  const isOne = env.workers === 1;
  if (!isOne && cluster.isPrimary) {
    // Reports errors of the start and fills an empty database once, not in each worker.
    await app.init();
    await app.close();
    return announce(env, await new Workers(env).start());
  }
  await app.listen(env.port, env.host);
  if (isOne) announce(env, (app.getHttpServer().address() as { port: number }).port);
}

function announce(env: Environment, port: number): void {
  const address = `${localAddress(env, port)}/events`;
  new Logger('Almanac').log(`Listening: ${address}, for people: ${new URL('/calendar', address).href}`);
}

start().catch(exitWith);
