import { Logger } from '@nestjs/common';
import { Environment } from './config/env.js';
import { createServer } from './create-server.js';
import { exitWith } from './exit-with.js';
import { localAddress } from './start-logger.js';

async function start(): Promise<void> {
  const app = await createServer();
  const env = app.get(Environment);
  await app.listen(env.port, env.host);
  const { port } = app.getHttpServer().address() as { port: number };
  new Logger('Almanac').log(`Listening: ${localAddress(env, port)}/events`);
}

start().catch(exitWith);
