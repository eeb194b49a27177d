import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  key: string;
  event: number;
  change: string;
}

/** An HTTP server that can die: at once, or after it has read a message and before it responds. */
export class Receiver {
  readonly received: Received[] = [];
  dieAfterReading = false;
  status = 204;
  private server?: Server;
  private port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  async start(): Promise<void> {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const message = JSON.parse(Buffer.concat(chunks).toString()) as { event: number; change: string };
        const key = String(request.headers['idempotency-key']);
        if (this.status < 300) this.received.push({ key, event: message.event, change: message.change });
        if (this.dieAfterReading) {
          this.dieAfterReading = false;
          this.kill();
        } else {
          response.writeHead(this.status).end();
        }
      });
    });
    await new Promise<void>((resolve) => this.server?.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  kill(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}
