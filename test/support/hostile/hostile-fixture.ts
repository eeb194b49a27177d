import { SITE_TABLES } from '../../../src/database/migrations/1700000000000-create-site.js';
import { type Caller, credentials } from '../calendar-client.js';
import { type Ask, brokenRows } from '../invariants.js';
import { askOf } from '../own-mariadb.js';
import { rawRequest } from '../raw-request.js';
import { exchange, head, type SocketAnswer } from '../raw-socket.js';
import { makeSite, SERVER_NAME, type Site } from '../sites.js';
import { startWatched, type WatchedServer } from '../watched-server.js';
import type { Shape } from './bodies.js';

/** The interface's root on a server. */
export const BASE = '/cal/events/v1';

/** A request that takes longer hangs, in milliseconds. */
export const TIMEOUT_MS = 20_000;

/** The same where many wait for their turn to be served much, in milliseconds. */
const LONG_TIMEOUT_MS = 60_000;

/** No request may stop all others that long, in milliseconds: far beyond what a busy machine explains. */
const MAX_BLOCK_LENGTH = 2_000;

const HEAP_MEGABYTES = 512;
const MEGABYTE = 1024 * 1024;

/** A built server with a small heap on a database of its own, and what was seen of it. */
export interface HostileFixture {
  server: WatchedServer;
  ask: Ask;
  /** Contradictions that the recorded rows hold already. */
  broken: string[];
  /** One line per thing that was tried: the longest block and the most memory since the last call; fails on a gross block. */
  look(name: string): Promise<void>;
  /** Starts the server again if the last thing killed it. */
  revive(): Promise<void>;
  /** Checksums of all tables: two that are alike saw no write between them. */
  rows(): Promise<unknown>;
  /** The ten slowest of the lines, the slowest first. */
  report(): string;
  close(): Promise<void>;
}

/** Opens the recorded site on MariaDB and starts the server. */
export async function openHostileFixture(): Promise<HostileFixture> {
  const site: Site = await makeSite(SERVER_NAME);
  const ask = askOf(site.url);
  const broken = await brokenRows(ask);
  const server = await startWatched(site.url, HEAP_MEGABYTES);
  const lines: { block: number; text: string }[] = [];
  const tables = SITE_TABLES.filter((table) => table !== 'usermeta').map((table) => `wp_${table}`);
  // Each day the first use of a password is noted there, at midnight too.
  const NOTED = '_application_passwords';
  const fixture: HostileFixture = {
    server,
    ask,
    broken,
    look: async (name) => {
      const seen = await server.seen();
      const { block, rss, heap, external } = seen ?? { block: 0, rss: 0, heap: 0, external: 0 };
      const memory = [rss, heap, external].map((bytes) => Math.round(bytes / MEGABYTE));
      const text = seen
        ? `${Math.round(block).toString().padStart(6)} ms  rss ${memory[0]} heap ${memory[1]} buffers ${memory[2]} MB  ${name}`
        : `  dead  ${name}`;
      lines.push({ block: seen ? block : Number.POSITIVE_INFINITY, text });
      if (!seen) throw new Error(`the server died:\n${server.log().slice(-1500)}`);
      expect(block).toBeLessThan(MAX_BLOCK_LENGTH);
    },
    revive: async () => {
      // A process that runs out of memory takes a while to end.
      if (server.runs() && (await server.seen())) return;
      await server.kill();
      await server.restart();
      await server.seen();
    },
    rows: async () => [
      await ask(`CHECKSUM TABLE ${tables.join(', ')}`),
      await ask(`SELECT * FROM wp_usermeta WHERE meta_key <> '${NOTED}' ORDER BY umeta_id`),
    ],
    report: () =>
      [...lines]
        .sort((a, b) => b.block - a.block)
        .slice(0, 10)
        .map(({ text }) => text)
        .join('\n'),
    close: async () => {
      await server.kill();
      await site.drop();
    },
  };
  return fixture;
}

/** Sends a shape as it is and says what was answered: `status code names-of-parameters`. */
export async function answerTo(url: string, shape: Shape): Promise<string> {
  const body = shape.body?.() ?? '';
  const headers = {
    ...credentials(shape.caller),
    ...shape.headers,
    ...(shape.body && { 'Content-Length': String(Buffer.byteLength(body)) }),
  };
  const bytes = Buffer.concat([
    Buffer.from(head(shape.method, BASE + shape.path, headers)),
    typeof body === 'string' ? Buffer.from(body) : body,
  ]);
  return summary(await exchange(url, bytes, TIMEOUT_MS));
}

/** `status code names-of-parameters` of an answer; `no answer` when the connection broke or stayed silent. */
export function summary({ status, text }: Pick<SocketAnswer, 'status' | 'text'>): string {
  if (status === 0) return 'no answer';
  let body: { code?: string; data?: { params?: string[] | Record<string, string> } };
  try {
    body = JSON.parse(text);
  } catch {
    return `${status} ${text.slice(0, 60)}`;
  }
  const params = body?.data?.params ?? [];
  const names = Array.isArray(params) ? params : Object.keys(params);
  return [status, body?.code ?? '', ...names].join(' ');
}

/** A multipart body, which holds any text as it is. */
export function multipart(fields: Readonly<Record<string, string>>): {
  headers: Record<string, string>;
  body: string;
} {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--part-of-a-test\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const headers = { 'Content-Type': 'multipart/form-data; boundary=part-of-a-test' };
  return { headers, body: `${parts.join('')}--part-of-a-test--\r\n` };
}

/** One of many requests for long texts, that must be answered in time; its body parsed. */
export async function send(
  url: string,
  caller: Caller,
  method: string,
  path: string,
  more: { headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; body: Record<string, unknown>; took: number }> {
  const headers = { ...credentials(caller), ...more.headers };
  const { status, text, took } = await rawRequest(url, {
    ...more,
    headers,
    method,
    path: BASE + path,
    timeoutMs: LONG_TIMEOUT_MS,
  });
  return { status, took, body: JSON.parse(text) as Record<string, unknown> };
}
