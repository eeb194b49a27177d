import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import { SafeFetch } from '../../src/wordpress/media/safe-fetch.js';

/** A message as its receiver sees it. */
export interface Received {
  id: string;
  /** Path of the request. */
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: { type: string; timestamp: string; data: Record<string, unknown> };
}

/** A server that receives webhooks. */
export interface Receiver {
  url: string;
  port: number;
  /** Everything that arrived, in order. */
  received: Received[];
  /** Responds to a request; by default with 204. */
  answer(respond?: (message: Received, response: ServerResponse) => unknown): void;
  /** Waits until `count` messages, that `isWanted` accepts, have arrived, and returns these. */
  until(count: number, isWanted?: (message: Received) => boolean): Promise<Received[]>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let respond = (_: Received, response: ServerResponse): unknown => response.writeHead(204).end();
  const initial = respond;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const { headers, url: path = '' } = request;
    const message = { id: String(headers['webhook-id']), path, headers, text, body: JSON.parse(text) };
    received.push(message);
    respond(message, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    answer: (next = initial) => {
      respond = next;
    },
    until: async (count, isWanted = () => true) => {
      for (const giveUp = Date.now() + 60_000; ; await sleep(20)) {
        const matching = received.filter(isWanted);
        if (matching.length >= count) return matching;
        if (Date.now() > giveUp)
          throw new Error(
            `${matching.length} of ${count} messages arrived: ${JSON.stringify(matching.map(({ body }) => body.type))}`,
          );
      }
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Lets an application post to the test's own receivers. */
export function allowReceivers(app: INestApplicationContext, ...ports: number[]): void {
  const alsoAllow = (address: string, port: number) => address === '127.0.0.1' && ports.includes(port);
  Object.assign(app.get(SafeFetch), new SafeFetch({ alsoAllow }));
}

/** Verifies a message by the library of the standard; throws if the signature is wrong. */
export function verified(secret: string, { text, headers }: Received): unknown {
  return new Webhook(secret).verify(text, headers as Record<string, string>);
}
