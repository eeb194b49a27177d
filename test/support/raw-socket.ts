import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The data of a connection until it was closed. */
export interface SocketAnswer {
  /** Status of the final response; 0 without one. */
  status: number;
  text: string;
  /** Milliseconds from sending to the first byte of the response; undefined without one. */
  took: number | undefined;
}

/** A connection with a started request; nothing is validated or completed. */
export interface RawConnection {
  socket: Socket;
  /** Resolves once the connection is closed or broken. */
  answer: Promise<SocketAnswer>;
}

/** The head of a request with `Connection: close`. */
export function head(method: string, path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ Host: 'localhost', Connection: 'close', ...headers });
  return [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join(
    '\r\n',
  );
}

/** Opens a connection and sends bytes; more may be written to the socket. */
export function openRaw(url: string, bytes: string | Buffer): RawConnection {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const begun = performance.now();
  let took: number | undefined;
  const chunks: Buffer[] = [];
  const answer = new Promise<SocketAnswer>((resolve) => {
    socket.on('data', (chunk) => {
      took ??= performance.now() - begun;
      chunks.push(chunk as Buffer);
    });
    // The response before the break still counts.
    socket.on('error', () => {});
    socket.on('close', () => resolve({ ...parse(Buffer.concat(chunks).toString('utf8')), took }));
  });
  socket.write(bytes);
  return { socket, answer };
}

/** Sends a complete request and waits for the response; a connection that stays open until the timeout has none. */
export async function exchange(
  url: string,
  bytes: string | Buffer,
  timeoutMs: number,
): Promise<SocketAnswer> {
  const { socket, answer } = openRaw(url, bytes);
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}

/** Sends bytes one at a time, at an interval in milliseconds. */
export async function drip(socket: Socket, text: string, pause: number): Promise<void> {
  for (const byte of text) {
    if (socket.destroyed) return;
    socket.write(byte);
    await sleep(pause);
  }
}

function parse(text: string): { status: number; text: string } {
  const final = text.replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, '');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(final)?.[1] ?? 0);
  const at = final.indexOf('\r\n\r\n');
  return { status, text: at < 0 ? '' : final.slice(at + 4) };
}
