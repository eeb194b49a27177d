import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const MAIN = join(__dirname, '..', '..', 'packages', 'mcp', 'bin', 'almanac-mcp.js');

/** What a tool returned: its data, or the error that it reports. */
export interface ToolAnswer {
  isError: boolean;
  text: string;
  data: Record<string, unknown>;
}

/** A connected client of the SDK. */
export interface McpClient {
  client: Client;
  call(name: string, args?: object): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/** Starts `almanac-mcp` as a client does, on standard input and output. */
export function overStdio(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<McpClient> {
  return connected(
    new StdioClientTransport({ command: process.execPath, args: [MAIN, ...words], env, stderr: 'inherit' }),
  );
}

/** Connects to a running HTTP server; every request has these headers. */
export function overHttp(url: string, headers: Readonly<Record<string, string>> = {}): Promise<McpClient> {
  return connected(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
}

async function connected(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
): Promise<McpClient> {
  const client = new Client({ name: 'tests', version: '1.0.0' });
  await client.connect(transport);
  return {
    client,
    async call(name, args = {}) {
      const {
        isError = false,
        content,
        structuredContent,
      } = await client.callTool({ name, arguments: { ...args } });
      const [{ text }] = content as [{ text: string }];
      return { isError: isError === true, text, data: (structuredContent ?? {}) as ToolAnswer['data'] };
    },
    close: () => client.close(),
  };
}

/** A process of `almanac-mcp`. */
export interface McpProcess {
  /** The address of an HTTP server, once it listens. */
  url: string;
  stop(): Promise<void>;
}

/** Runs `almanac-mcp --http 0 …` until it listens. */
export async function startMcpServer(words: readonly string[]): Promise<McpProcess> {
  const child = spawn(process.execPath, [MAIN, '--http', '0', ...words], {
    env: {},
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  for await (const line of createInterface({ input: child.stderr })) {
    const [, url] = /^Listening on (\S+)$/.exec(line) ?? [];
    if (url) return { url, stop: () => stopped(child) };
    throw new Error(line);
  }
  throw new Error('almanac-mcp ended.');
}

/** What a start that is rejected prints, and its exit code. */
export async function rejectedStart(
  words: readonly string[],
  env = {},
): Promise<{ code: number; text: string }> {
  const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const lines: string[] = [];
  for await (const chunk of child.stderr) lines.push(String(chunk));
  if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
  return { code: child.exitCode ?? -1, text: lines.join('') };
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await exit;
}
