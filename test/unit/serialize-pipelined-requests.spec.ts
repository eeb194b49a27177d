import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { serializePipelinedRequests } from '../../src/http/response-cache/fast-path.js';

describe('pipelined requests', () => {
  let server: Server;
  /** Those that were begun, and have to be answered. */
  let begun: [url: string | undefined, ServerResponse][];

  beforeEach(async () => {
    begun = [];
    server = createServer(serializePipelinedRequests(({ url }, response) => begun.push([url, response])));
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const send = (count: number) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const paths = Array.from({ length: count }, (_, at) => `/${at}`);
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''));
    return { socket, paths };
  };

  it('are started one at a time, once the response before is sent', async () => {
    const { socket, paths } = send(100);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    for (const [at, path] of paths.entries()) {
      while (begun.length === at) await turn();
      for (let turns = 0; turns < 5; turns++) await turn();
      expect(begun.map(([url]) => url)).toEqual(paths.slice(0, at + 1));
      begun[at]?.[1].end(`<${path}>`);
    }
    while (!text.includes('</99>')) await turn();
    expect(text.match(/<.*?>/g)).toEqual(paths.map((path) => `<${path}>`));
  });

  it('lose their connection where they are too many', async () => {
    const { socket } = send(102);
    socket.on('error', () => undefined).resume();
    await once(socket, 'close');
    expect(begun).toHaveLength(1);
  });
});
