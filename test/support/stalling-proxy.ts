import { connect, createServer, type Server, type Socket } from 'node:net';

/** Where the connection breaks: at the next COMMIT, at its result, or at everything after it. */
export type Break = 'before the commit' | 'after the commit' | 'after its answer';

/** A proxy of a database server that can stop forwarding while connections stay open. */
export class StallingProxy {
  private stalls = false;
  private breaksAt?: Break;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly upstream: number,
  ) {
    server.on('connection', (client) => this.join(client));
  }

  /** A proxy to a port of this machine. */
  static async to(port: number): Promise<StallingProxy> {
    const server = createServer();
    const proxy = new StallingProxy(server, port);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as { port: number }).port;
  }

  breakAt(point: Break): void {
    this.breaksAt = point;
  }

  /** Forwards new connections again; stalled ones stay stalled. */
  mend(): void {
    for (const socket of this.sockets) socket.destroy();
    this.stalls = false;
    this.breaksAt = undefined;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket): void {
    const server = connect(this.upstream, '127.0.0.1');
    let wasCommit = false;
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.sockets.delete(socket));
    }
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
    client.on('data', (chunk) => {
      wasCommit = chunk.includes('COMMIT');
      if (wasCommit && this.breaksAt === 'before the commit') this.stalls = true;
      if (!this.stalls) server.write(chunk);
      if (wasCommit && this.breaksAt === 'after the commit') this.stalls = true;
    });
    server.on('data', (chunk) => {
      if (!this.stalls) client.write(chunk);
      if (wasCommit && this.breaksAt === 'after its answer') this.stalls = true;
    });
  }
}
