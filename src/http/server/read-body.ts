import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import busboy from 'busboy';
import { invalidParameter, RestException } from '../../common/errors/rest-exception.js';
import { EventLoopYielder } from '../../common/event-loop.js';
import { hasLoneSurrogate } from '../../lib/wordpress-text/formatting/php-strings.js';
import { DROPPING_TIME } from '../params/limits.js';
import { nestPhpParameters, type Parameters, parsePhpParameters } from '../params/php-parameters.js';
import { jsonFault } from './json-size.js';

/** Fields of a multipart body. */
const MAX_FIELDS = 1000;

/** Bytes of a multipart body that are parsed without yielding. */
const CHUNK_SIZE = 16_384;

/** The fields of a body: of JSON, or of a form. */
export interface Body {
  json: Parameters;
  form: Parameters;
  /** The file of a request to upload one. */
  upload?: UploadedFile;
  /** A problem of the body, reported where parameters are missing. */
  hint?: string;
}

/** A file in a multipart form, or a body that is one itself and has no name. */
export interface UploadedFile {
  name?: string;
  bytes: Buffer;
}

/** What decides how a body is read. */
interface BodyKind {
  headers: IncomingHttpHeaders;
  /** The method after an override, and as it was sent. */
  method: string;
  sentAs: string;
  /** Whether the body may be, or hold, a file. */
  isUpload?: boolean;
}

/** Whether a request announces a body, possibly an empty one. */
export function bringsBody(headers: IncomingHttpHeaders): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

export const noBody = (): Body => ({ json: Object.create(null), form: Object.create(null) });

/** Whether the body is a form: of writes, and multipart only where POST was sent, whatever the override. */
export function isForm(kind: BodyKind): boolean {
  return formType(kind) !== undefined;
}

function formType({ headers, method, sentAs }: BodyKind): 'form' | 'multipart' | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined;
  const type = mediaType(headers);
  if (type === 'application/x-www-form-urlencoded' || (type === '' && method !== 'POST')) return 'form';
  return sentAs === 'POST' && type === 'multipart/form-data' ? 'multipart' : undefined;
}

/**
 * Parses JSON and form bodies (docs/behaviour/parameters.md#sources); anything else is ignored, as recorded. Throws
 * `RestException`.
 */
export async function parseBody(bytes: Buffer, kind: BodyKind): Promise<Body> {
  if (bytes.length === 0) return noBody();
  const type = mediaType(kind.headers);
  if (/^(application\/json|[\w.-]+\/[\w.+-]+\+json)$/.test(type)) return readJson(bytes);
  const body = await readOther(bytes, kind);
  if (kind.isUpload && formType(kind) === undefined) return { ...body, upload: { bytes } };
  // curl sends JSON of its option -d as a form.
  const isJson = /^\s{0,100}[{[]/.test(bytes.toString('latin1', 0, 101));
  const declared = type === '' ? 'is not named' : `is said to be ${type.slice(0, 100)}`;
  return isJson
    ? {
        ...body,
        hint: `The body looks like JSON, but its type ${declared}: send "Content-Type: application/json".`,
      }
    : body;
}

async function readOther(bytes: Buffer, kind: BodyKind): Promise<Body> {
  switch (formType(kind)) {
    case 'form':
      return { ...noBody(), form: parsePhpParameters(bytes.toString('utf8')) };
    case 'multipart':
      return { ...noBody(), ...(await readMultipart(kind, bytes)) };
    default:
      return noBody();
  }
}

function mediaType(headers: IncomingHttpHeaders): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

async function readJson(bytes: Buffer): Promise<Body> {
  const fault = await jsonFault(bytes);
  if (fault) throw invalidParameter(fault.name, `${fault.name} ${fault.message}`);
  const text = bytes.toString('utf8');
  if (text.trim() === '') return noBody();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidJson(4, 'Syntax error');
  }
  if (hasLoneSurrogate(text, value))
    throw invalidJson(10, 'Single unpaired UTF-16 surrogate in unicode escape');
  return value !== null && typeof value === 'object'
    ? { ...noBody(), json: Object.assign(Object.create(null), value) }
    : noBody();
}

function invalidJson(code: number, message: string): RestException {
  return new RestException('invalid', 'rest_invalid_json', 'The body is not valid JSON.', {
    data: { json_error_code: code, json_error_message: message },
  });
}

const tooManyFields = () =>
  new RestException('too_large', 'rest_content_too_large', `The form has more than ${MAX_FIELDS} fields.`);

function readMultipart(
  { headers, isUpload = false }: BodyKind,
  bytes: Buffer,
): Promise<Pick<Body, 'form' | 'upload'>> {
  return new Promise((resolve, reject) => {
    const pairs: [string, string][] = [];
    let file: { name: string; chunks: Buffer[] } | undefined;
    const failed = () =>
      reject(new RestException('invalid', 'rest_invalid_body', 'The multipart body cannot be read.'));
    try {
      const parser = busboy({
        headers,
        // Browsers send UTF-8; busboy decodes `filename*` by what that says.
        defParamCharset: 'utf8',
        limits: { fieldSize: bytes.length, fields: MAX_FIELDS, parts: 2 * MAX_FIELDS },
      });
      parser.on('field', (name, value) => pairs.push([name, value]));
      // A body that ends within a file is also an error of that file's stream.
      parser.on('file', (field, stream, { filename }) => {
        stream.on('error', failed);
        if (!isUpload || field !== 'file' || file) return void stream.resume();
        const chunks: Buffer[] = [];
        file = { name: filename ?? '', chunks };
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      });
      parser.on('error', failed);
      for (const limit of ['fieldsLimit', 'partsLimit'] as const)
        parser.on(limit, () => reject(tooManyFields()));
      parser.on('close', () =>
        resolve({
          form: nestPhpParameters(pairs),
          ...(file && { upload: { name: file.name, bytes: Buffer.concat(file.chunks) } }),
        }),
      );
      write(parser, bytes).catch(failed);
    } catch {
      failed();
    }
  });
}

/** Writes chunks, yielding to other requests: a megabyte may have thousands of parts. */
async function write(parser: Writable, bytes: Buffer): Promise<void> {
  const yielder = new EventLoopYielder();
  for (let at = 0; at < bytes.length; at += CHUNK_SIZE) {
    if (yielder.shouldYield) await yielder.yield();
    parser.write(bytes.subarray(at, at + CHUNK_SIZE));
  }
  parser.end();
}

/**
 * Reads and drops the rest of a body after the response: closing a connection with unread bytes would discard the response.
 * The connection is closed when all has arrived, or after a timeout.
 */
export function drainRequestBody(request: IncomingMessage, response: ServerResponse): void {
  if (!bringsBody(request.headers)) return;
  const wantsClose = !response.shouldKeepAlive;
  // Node would close at once.
  response.shouldKeepAlive = true;
  response.once('finish', () => {
    const { socket } = request;
    if (request.complete && request.readableEnded) {
      if (wantsClose) socket.end();
      return;
    }
    const timer = setTimeout(() => socket.destroy(), DROPPING_TIME).unref();
    request.once('end', () => {
      clearTimeout(timer);
      if (wantsClose) socket.end();
    });
    request.resume();
  });
}
