import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { RowClient } from './replay.js';

/** How long one question may take, in milliseconds. */
const PATIENCE = 30_000;

// replay.mjs asks and waits without letting the event loop run, so the connection lives in a thread of its own.
const THREAD = `
  const { workerData } = require('node:worker_threads');
  const { createConnection } = require(workerData.driver);
  const { port, answered } = workerData;
  const typeCast = (field) => field.string('utf8');
  const connecting = createConnection({ uri: workerData.url, charset: 'utf8mb4', rowsAsArray: true, typeCast });
  port.on('message', async (sql) => {
    const [rows] = await connecting.then((connection) => connection.query(sql)).catch((error) => [[['error ' + error.message]]]);
    port.postMessage(rows.map(([value]) => value + '\\n').join(''));
    Atomics.store(answered, 0, 1);
    Atomics.notify(answered, 0);
  });`;

/** Answers replay.mjs's questions to the `mariadb` client over one connection: one line of text per row. */
export function mariadbClient(url: string): RowClient {
  const { port1, port2 } = new MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const driver = require.resolve('mysql2/promise');
  const worker = new Worker(THREAD, {
    eval: true,
    workerData: { url, driver, port: port2, answered },
    transferList: [port2],
  });
  return {
    execute: (_program, args) => {
      Atomics.store(answered, 0, 0);
      port1.postMessage(args.at(-1) ?? '');
      Atomics.wait(answered, 0, 0, PATIENCE);
      const received = receiveMessageOnPort(port1) as { message: string } | undefined;
      if (!received || received.message.startsWith('error '))
        throw new Error(`the database does not answer: ${received?.message} for ${args.at(-1)}`);
      return received.message;
    },
    close: async () => {
      port1.close();
      await worker.terminate();
    },
  };
}
