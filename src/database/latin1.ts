import { isUtf8 } from 'node:buffer';
import type { TypeCastField, TypeCastNext } from 'mysql2';
import { WINDOWS_1252 } from '../lib/windows-1252.js';

const BYTES = new Map([...WINDOWS_1252].map((character, at) => [character, 128 + at]));
/** A possible UTF-8 sequence or a single high byte, each byte as a code unit. */
const PARTS = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\x9f]/g;

/** The `typeCast` of mysql2 for a latin1 session: decodes bytes as UTF-8, else as latin1. */
export function readLatin1(_field: TypeCastField, next: TypeCastNext): unknown {
  const value: unknown = next();
  return typeof value === 'string' ? decodeLatin1(value) : value;
}

/** Decodes a value whose code units are bytes. */
function decodeLatin1(value: string): string {
  if (!/[\x80-\xff]/.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  if (isUtf8(bytes)) return bytes.toString();
  return value.replace(PARTS, (part) => {
    const some = Buffer.from(part, 'latin1');
    return isUtf8(some) ? some.toString() : part.replace(/[\x80-\x9f]/g, characterOf);
  });
}

/** Encodes a text in MySQL's latin1; undefined if it has other characters. */
export function latin1Bytes(text: string): Buffer | undefined {
  const bytes = Buffer.alloc(text.length);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const byte = code < 128 || (code > 159 && code < 256) ? code : BYTES.get(text.charAt(at));
    if (byte === undefined) return undefined;
    bytes[at] = byte;
  }
  return bytes;
}

const characterOf = (byte: string): string => WINDOWS_1252.charAt(byte.charCodeAt(0) - 128);
