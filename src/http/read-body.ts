import busboy from 'busboy';
import type { Request } from 'express';
import { nestPhpParameters, type Parameters, parsePhpParameters } from './php-parameters.js';
import { RestError } from './rest-error.js';

/** Largest body that is read, in bytes. */
const MOST_BYTES = 8 * 1024 * 1024;

export interface Body {
  json: Parameters;
  form: Parameters;
  bodyError?: RestError;
}

const nothing = (): Body => ({ json: Object.create(null), form: Object.create(null) });

/**
 * Reads JSON, form and (when sent as POST, whatever `_method` makes of it) multipart bodies; anything else is ignored, as
 * recorded. Undefined when the body broke off: half a request must do nothing, and nobody waits for its answer. Never throws.
 */
export async function readBody(request: Request, sentAs = request.method): Promise<Body | undefined> {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const bytes = await collect(request);
  if (bytes === 'broken') return undefined;
  if (bytes === 'too large')
    return {
      ...nothing(),
      bodyError: new RestError('rest_content_too_large', 413, `A body may hold at most ${MOST_BYTES} bytes.`),
    };
  if (bytes.length === 0) return nothing();
  if (/^(application\/json|[\w.-]+\/[\w.+-]+\+json)$/.test(type)) return readJson(bytes);
  const writes = request.method !== 'GET' && request.method !== 'HEAD';
  if (writes && (type === 'application/x-www-form-urlencoded' || (type === '' && request.method !== 'POST')))
    return { ...nothing(), form: parsePhpParameters(bytes.toString('utf8')) };
  if (writes && sentAs === 'POST' && type === 'multipart/form-data') return readMultipart(request, bytes);
  return nothing();
}

function collect(request: Request): Promise<Buffer | 'too large' | 'broken'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // What is past the limit is read and dropped, so that the answer can still be sent.
      if (size <= MOST_BYTES) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.on('end', () => resolve(size > MOST_BYTES ? 'too large' : Buffer.concat(chunks)));
    request.on('error', () => resolve('broken'));
  });
}

function readJson(bytes: Buffer): Body {
  const text = bytes.toString('utf8');
  if (text.trim() === '') return nothing();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ...nothing(), bodyError: invalidJson(4, 'Syntax error') };
  }
  if (depth(value) > 500) return { ...nothing(), bodyError: invalidJson(1, 'Maximum stack depth exceeded') };
  return value !== null && typeof value === 'object'
    ? { ...nothing(), json: Object.assign(Object.create(null), value) }
    : nothing();
}

function invalidJson(code: number, message: string): RestError {
  return new RestError('rest_invalid_json', 400, 'The body is not valid JSON.', {
    json_error_code: code,
    json_error_message: message,
  });
}

function depth(value: unknown): number {
  let deepest = 0;
  const open: [unknown, number][] = [[value, 1]];
  for (let item = open.pop(); item; item = open.pop()) {
    const [node, level] = item;
    deepest = Math.max(deepest, level);
    if (node !== null && typeof node === 'object')
      for (const child of Object.values(node)) open.push([child, level + 1]);
  }
  return deepest;
}

function readMultipart(request: Request, bytes: Buffer): Promise<Body> {
  return new Promise((resolve) => {
    const pairs: [string, string][] = [];
    const failed = () =>
      resolve({
        ...nothing(),
        bodyError: new RestError('rest_invalid_body', 400, 'The multipart body can not be read.'),
      });
    try {
      const parser = busboy({ headers: request.headers, limits: { fieldSize: MOST_BYTES, fields: 1000 } });
      parser.on('field', (name, value) => pairs.push([name, value]));
      // A body cut off inside a file is an error of that file's stream too.
      parser.on('file', (_name, stream) => stream.on('error', failed).resume());
      parser.on('error', failed);
      parser.on('close', () => resolve({ ...nothing(), form: nestPhpParameters(pairs) }));
      parser.end(bytes);
    } catch {
      failed();
    }
  });
}
