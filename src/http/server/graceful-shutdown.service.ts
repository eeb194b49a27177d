import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { Server, type Socket } from 'node:net';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Environment } from '../../config/env.js';

/** Signals that end a server. */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** One word of a person may arrive as several signals, in milliseconds: terminals and npm send it to all. */
const SAME_SIGNAL = 500;
/** How long after the last request connections that nothing is asked on are kept open: one may be on its way, in milliseconds. */
const ON_ITS_WAY = 500;

/**
 * Ends a server that is told to: nothing new is let in, what was asked is answered with `Connection: close`, and the process
 * ends with 0; with 1 when `SHUTDOWN_SECONDS` are over first, at once on a second signal (docs/operating.md#stopping).
 */
@Injectable()
export class GracefulShutdown implements BeforeApplicationShutdown, OnApplicationShutdown {
  private server?: HttpServer;
  private readonly sockets = new Set<Socket>();
  /** The last response on each of them. */
  private readonly responses = new WeakMap<Socket, ServerResponse>();
  private begunAt?: number;
  private lastRequestAt = 0;
  private readonly logger = new Logger('Almanac');

  constructor(private readonly env: Environment) {}

  /** Watches the server's connections, and the process's signals until the application is closed. */
  watch(server: HttpServer): void {
    this.server = server;
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      this.responses.set(request.socket, response);
      this.lastRequestAt = performance.now();
      // Who keeps a connection busy would keep a server that ends from ending.
      if (!server.listening) response.setHeader('Connection', 'close');
    });
    for (const signal of STOP_SIGNALS) process.on(signal, this.onSignal);
  }

  private readonly onSignal = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    const endNow = () => process.exit(128 + (constants.signals[signal] ?? 0));
    // A command, or a start: there is nobody to be answered.
    if (this.begunAt === undefined && !this.server?.listening) endNow();
    if (this.begunAt !== undefined) {
      if (now - this.begunAt > SAME_SIGNAL) endNow();
      return;
    }
    this.begunAt = now;
    const { shutdownSeconds } = this.env;
    this.logger.log(`${signal}: finishing what was asked, for ${shutdownSeconds} s at most.`);
    setTimeout(() => {
      this.logger.error(`Ended after ${shutdownSeconds} s; ${this.busy().length} requests were cut off.`);
      process.exit(1);
    }, shutdownSeconds * 1000);
  };

  async beforeApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (this.begunAt === undefined || !server?.listening) return;
    // An HTTP server's own `close` would cut idle connections at once, and so requests that are just arriving.
    Server.prototype.close.call(server);
    // Each connection brings one more request at most, so that this ends.
    let quietSince = performance.now();
    do {
      await sleep(quietSince + ON_ITS_WAY - performance.now());
      // On a busy machine more may have arrived than was read so far.
      await new Promise(setImmediate);
      quietSince = Math.max(quietSince, this.lastRequestAt);
    } while (performance.now() < quietSince + ON_ITS_WAY);
    // Neither those nor half of a request's headers are worth waiting for.
    const busy = new Set(this.busy());
    for (const socket of this.sockets) if (!busy.has(socket)) socket.destroy();
  }

  onApplicationShutdown(): void {
    for (const signal of STOP_SIGNALS) process.off(signal, this.onSignal);
  }

  /** Connections on which something was asked that is not answered yet. */
  private busy(): Socket[] {
    return [...this.sockets].filter((socket) => this.responses.get(socket)?.writableFinished === false);
  }
}
