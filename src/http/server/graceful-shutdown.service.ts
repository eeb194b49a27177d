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

export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Signals within so many milliseconds count as one: terminals and npm send them to all processes. */
const SAME_SIGNAL = 500;
/** How long idle connections stay open after the last request, in milliseconds: another one may be arriving. */
const IDLE_GRACE = 500;

/**
 * Shuts the server down on a signal: it accepts no connections, responds to pending requests with `Connection: close` and
 * exits with 0; with 1 after `SHUTDOWN_SECONDS`, at once on a second signal (docs/operating.md#stopping).
 */
@Injectable()
export class GracefulShutdown implements BeforeApplicationShutdown, OnApplicationShutdown {
  private server?: HttpServer;
  private readonly sockets = new Set<Socket>();
  /** The last response of each connection. */
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
      // A busy connection would delay the shutdown.
      if (!server.listening) response.setHeader('Connection', 'close');
    });
    for (const signal of STOP_SIGNALS) process.on(signal, this.onSignal);
  }

  private readonly onSignal = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    const endNow = () => process.exit(128 + (constants.signals[signal] ?? 0));
    // A command, or a server that is starting, has no requests.
    if (this.begunAt === undefined && !this.server?.listening) endNow();
    if (this.begunAt !== undefined) {
      if (now - this.begunAt > SAME_SIGNAL) endNow();
      return;
    }
    this.begunAt = now;
    const { shutdownSeconds } = this.env;
    this.logger.log(`${signal}: finishing running requests, for ${shutdownSeconds} s at most.`);
    setTimeout(() => {
      this.logger.error(`Ended after ${shutdownSeconds} s; ${this.busy().length} requests were cut off.`);
      process.exit(1);
    }, shutdownSeconds * 1000);
  };

  async beforeApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (this.begunAt === undefined || !server?.listening) return;
    // `close` of an HTTP server would cut idle connections at once, and so requests that are arriving.
    Server.prototype.close.call(server);
    // Each connection has at most one more request, so that this ends.
    let quietSince = performance.now();
    // On a busy machine connections and requests may have arrived that were not read yet.
    await new Promise(setImmediate);
    while (this.sockets.size > 0 && performance.now() < quietSince + IDLE_GRACE) {
      await sleep(quietSince + IDLE_GRACE - performance.now());
      await new Promise(setImmediate);
      quietSince = Math.max(quietSince, this.lastRequestAt);
    }
    // Closes idle connections and those with incomplete headers.
    const busy = new Set(this.busy());
    for (const socket of this.sockets) if (!busy.has(socket)) socket.destroy();
  }

  onApplicationShutdown(): void {
    for (const signal of STOP_SIGNALS) process.off(signal, this.onSignal);
  }

  /** Connections with a pending request. */
  private busy(): Socket[] {
    return [...this.sockets].filter((socket) => this.responses.get(socket)?.writableFinished === false);
  }
}
