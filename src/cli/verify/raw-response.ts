import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { type JsonLimits, jsonFault } from '../../http/server/json-size.js';
import type { ParsedResponse } from './parsed-response.js';

/** A raw response, neither decompressed nor parsed. */
export interface RawResponse {
  /** 0 if nothing was received. */
  status: number;
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array;
  /** Compression of the body, if any. */
  encoding?: string;
  /** Why the response is incomplete. */
  failure?: string;
}

/** Maximum bytes of a body after decompression. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Bounds the memory of a parsed body: some 50 MB. A list of 50 events has 20,000 values. */
const JSON_LIMITS: JsonLimits = { levels: 200, values: 500_000 };

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

/** Decompresses and parses a response; one that is too large, too deep or damaged has a `failure` and no text. */
export async function parseResponse(raw: RawResponse): Promise<ParsedResponse> {
  const { status } = raw;
  const headers = new Headers(raw.headers.map(([name, value]): [string, string] => [name, value]));
  const failed = (failure: string) => ({ ...toParsedResponse(status, headers, ''), failure });
  if (raw.failure !== undefined) return failed(raw.failure);
  const bytes = await decompressed(raw).catch(() => undefined);
  if (!bytes) return failed('Its body cannot be decompressed, or is too large.');
  const text = bytes.toString('utf8');
  const first = text.trimStart()[0];
  const mayBeJson = first !== undefined && '[{"-0123456789tfn'.includes(first);
  const fault = mayBeJson ? await jsonFault(bytes, JSON_LIMITS) : undefined;
  if (fault) return failed(`Its JSON ${fault.message}`);
  return toParsedResponse(status, headers, text);
}

/** A response with its text and, if possible, JSON. */
export function toParsedResponse(status: number, headers: Headers, text: string): ParsedResponse {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // Not JSON: compared as text.
  }
  return { status, headers, text, json };
}

async function decompressed({ body, encoding = 'identity' }: RawResponse): Promise<Buffer> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (encoding === 'identity' || bytes.length === 0) return bytes;
  const name = encoding.toLowerCase();
  if (!Object.hasOwn(DECODERS, name)) throw new Error(`unknown encoding: ${encoding}`);
  return DECODERS[name as keyof typeof DECODERS](bytes, { maxOutputLength: MAX_BODY_BYTES });
}
