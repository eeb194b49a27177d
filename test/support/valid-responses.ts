import { Agent } from 'node:http';
import type { LoggerService } from '@nestjs/common';
import { startApp } from './app.js';
import { type RawAnswer, type RawRequest, rawRequest } from './raw-request.js';
import { type DatabaseName, makeSite } from './sites.js';

/** The maximum time of a response, in milliseconds; ample on a busy machine too. */
const TIMEOUT_MS = 30_000;

/** The number of concurrent requests. */
const AT_ONCE = 8;

/** Collects the server's error log, one entry per source location, for the report of a failed test. */
class ErrorLog implements LoggerService {
  private readonly places = new Map<string, string>();

  error(message: unknown): void {
    const [first = '', ...stack] = String(message).split('\n');
    const place = stack.filter((line) => !line.includes('node_modules')).slice(0, 3);
    this.places.set(place.join(), [first, ...place].join('\n'));
  }
  log(): void {}
  warn(): void {}

  /** The entries since the last call. */
  take(): string {
    const text = [...this.places.values()].join('\n');
    this.places.clear();
    return text;
  }
}

/** A server on the recorded site that collects its error log. */
export interface LoggedServer {
  url: string;
  log: ErrorLog;
  close(): Promise<void>;
}

/** Starts one on a new database. */
export async function startLoggedServer(database: DatabaseName): Promise<LoggedServer> {
  const log = new ErrorLog();
  const site = await makeSite(database);
  const app = await startApp({ databaseUrl: site.url });
  app.nest.useLogger(log);
  return {
    url: app.url,
    log,
    close: async () => {
      await app.close();
      await site.drop();
    },
  };
}

/** The error of a response, if any. */
export type Fault = (request: RawRequest, answer: RawAnswer) => string | undefined;

/** Sends all requests and throws a report of invalid responses. */
export function expectValid(server: LoggedServer, requests: readonly RawRequest[]): Promise<void> {
  return expectAnswers(server, requests, fault);
}

/** Sends all requests concurrently and throws a report of responses with an error. */
export async function expectAnswers(
  { url, log }: LoggedServer,
  requests: readonly RawRequest[],
  faultOf: Fault,
): Promise<void> {
  const bad = new Map<string, string[]>();
  const waiting = [...requests];
  const agent = new Agent({ keepAlive: true });
  const send = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { method = 'GET', path, body = '' } = next;
      const answer = await rawRequest(url, next, agent).catch((error: Error) => error);
      const wrong = 'status' in answer ? faultOf(next, answer) : answer.message;
      if (!wrong) continue;
      const alike = bad.get(wrong) ?? [];
      bad.set(wrong, [...alike, `  ${method} ${path.slice(0, 300)} ${String(body).slice(0, 100)}`]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  agent.destroy();
  const errors = log.take();
  if (bad.size === 0) return;
  const report = [...bad].map(([wrong, those]) => [
    `${wrong}: ${those.length} of ${requests.length}`,
    ...those.slice(0, 8),
  ]);
  throw new Error([...report.flat(), errors].join('\n'));
}

/** The error of a response: it must have no 5xx status, and be JSON of a known shape. */
export function fault(request: RawRequest, { status, headers, text, took }: RawAnswer): string | undefined {
  if (status >= 500) return `status ${status}`;
  if (took > TIMEOUT_MS) return `took ${Math.round(took)} ms`;
  if (request.method === 'HEAD') return text === '' ? undefined : 'a body for HEAD';
  if (status === 304)
    return text === '' && headers.etag !== undefined ? undefined : 'a 304 with a body or no tag';
  const wrapped = /^\/\*\*\/[\w.]+\((.*)\)$/s.exec(text)?.[1];
  const isScript = wrapped !== undefined || text.startsWith('{"code":"rest_callback_invalid"');
  const wanted = `application/${isScript ? 'javascript' : 'json'}; charset=UTF-8`;
  if (headers['content-type'] !== wanted) return `content type ${headers['content-type']}`;
  let body: unknown;
  try {
    body = JSON.parse(wrapped ?? text);
  } catch {
    return `no JSON: ${text.slice(0, 100)}`;
  }
  if (body === null || typeof body !== 'object') return `a body of type ${typeof body}`;
  const { status: inner, body: enveloped } = body as { status?: unknown; body?: unknown };
  const isEnvelope = typeof inner === 'number' && 'headers' in body && enveloped !== undefined;
  return isEnvelope ? errorFault(inner, enveloped) : errorFault(status, body);
}

/** Whether an error has the recorded members. */
function errorFault(status: number, body: unknown): string | undefined {
  if (status < 400) return undefined;
  if (status >= 500) return `status ${status} in an envelope`;
  const { code, message, data } = (body ?? {}) as Record<string, unknown>;
  if (typeof code !== 'string' || typeof message !== 'string' || message === '')
    return 'an error without code or message';
  if (code === 'rest_callback_invalid') return undefined;
  const { status: said, params, details } = (data ?? {}) as Record<string, unknown>;
  if (said !== status) return `data.status ${said} with status ${status}`;
  if (
    code === 'rest_invalid_param' &&
    (Object.keys(params ?? {}).length === 0 || typeof details !== 'object')
  )
    return 'rest_invalid_param without params or details';
  if (code === 'rest_missing_callback_param' && !Array.isArray(params)) return 'no list of missing params';
  return undefined;
}
