import { Logger } from '@nestjs/common';
import { Environment, EnvironmentError } from './config/env.js';
import { createServer } from './create-server.js';
import { StartError } from './database/start-error.js';
import { localAddress } from './start-logger.js';

async function start(): Promise<void> {
  const app = await createServer();
  const env = app.get(Environment);
  await app.listen(env.port, env.host);
  const { port } = app.getHttpServer().address() as { port: number };
  new Logger('Almanac').log(`Listening: ${localAddress(env, port)}/events`);
}

start().catch((error: unknown) => {
  const expected = error instanceof EnvironmentError || error instanceof StartError;
  const taken = (error as { code?: string }).code === 'EADDRINUSE';
  if (taken) console.error('The port is taken by another program: choose one with PORT.');
  else console.error(expected ? (error as Error).message : error);
  process.exit(1);
});
