import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Response } from 'express';
import { EventLoopYielder } from '../common/event-loop.js';

/** Serialized JSON in PHP's format, inserted into responses unchanged. */
export class SerializedJson {
  readonly json: string;
  private knownHash?: string;

  constructor(json: string) {
    // It is ASCII, but V8 may store two bytes per character, as before escaping.
    this.json = Buffer.from(json, 'latin1').toString('latin1');
  }

  /** A new object of it, which its receiver may change. */
  parse<T>(): T {
    return JSON.parse(this.json);
  }

  /** Hash of the JSON, computed once and reused in ETags; it begins with a character that JSON never contains. */
  get hash(): string {
    this.knownHash ??= `\0${hash('sha1', this.json, 'base64url')}`;
    return this.knownHash;
  }
}

/** A part of a response's text, each character one byte: its own, or one that it shares with other responses. */
export type Chunk = string | SerializedJson;

export const textOf = (chunk: Chunk): string => (typeof chunk === 'string' ? chunk : chunk.json);

/** A text as a chunk: its UTF-8 bytes as characters. */
export const inUtf8 = (text: string): string => Buffer.from(text).toString('latin1');

export const lengthOf = (chunks: readonly Chunk[]): number =>
  chunks.reduce((length, chunk) => length + textOf(chunk).length, 0);

/** A response as it is sent. */
export class SerializedResponse {
  constructor(
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    readonly chunks: readonly Chunk[],
  ) {}

  /** Sends it no faster than the client reads. */
  send(response: Response): void {
    const texts = this.chunks.map(textOf);
    const [only = ''] = texts;
    response.status(this.status).set(this.headers).setHeader('Content-Length', lengthOf(texts));
    if (texts.length < 2) response.end(only, 'latin1');
    // A disconnect needs no handling; `pipeline` would add seven listeners for it.
    else Readable.from(bytesOf(texts)).pipe(response);
  }
}

/** Yields to other requests between chunks: the system may take megabytes at once. */
async function* bytesOf(texts: readonly string[]): AsyncGenerator<Buffer> {
  const yielder = new EventLoopYielder();
  for (const text of texts) {
    if (yielder.shouldYield) await yielder.yield();
    yield Buffer.from(text, 'latin1');
  }
}
