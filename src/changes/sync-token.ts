import { createHash } from 'node:crypto';

/** How far a client has followed the changes. */
export interface SyncToken {
  /** `Journal.epoch`. */
  epoch: string;
  /** What the client may see (`viewOf`). */
  view: string;
  /** The paths of the resources that the client follows, sorted. */
  types: readonly string[];
  /** The last entry that the pages read so far hold. */
  seq: number;
  /** The last entry of the pages before: records changed since then come once. */
  from: number;
  /** The last record of a full listing that goes on. */
  listed?: { type: string; id: number };
}

const VERSION = 1;
const MAX_LENGTH = 2000;
const CHECKSUM_LENGTH = 8;
const TEXT = /^[\w.-]+$/;

/** Serializes a token; it is no secret, and grants nothing. */
export function writeSyncToken({ epoch, view, types, seq, from, listed }: SyncToken): string {
  const members = [
    VERSION,
    epoch,
    view,
    types.join(),
    seq,
    from,
    ...(listed ? [listed.type, listed.id] : []),
  ];
  const payload = Buffer.from(JSON.stringify(members)).toString('base64url');
  return `${checksum(payload)}${payload}`;
}

/** Parses a token; undefined if it is invalid. */
export function readSyncToken(text: string): SyncToken | undefined {
  const payload = text.slice(CHECKSUM_LENGTH);
  if (text.length > MAX_LENGTH || !TEXT.test(text) || text !== `${checksum(payload)}${payload}`)
    return undefined;
  const [version, epoch, view, types, seq, from, type, id] = membersOf(payload);
  const isToken = version === VERSION && isText(epoch) && isText(view) && isText(types);
  if (!isToken || !isPosition(seq) || !isPosition(from)) return undefined;
  const token = { epoch, view, types: types.split(','), seq, from };
  if (type === undefined) return token;
  return isText(type) && isPosition(id) ? { ...token, listed: { type, id } } : undefined;
}

function membersOf(payload: string): unknown[] {
  try {
    const members: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return Array.isArray(members) ? members : [];
  } catch {
    return [];
  }
}

const checksum = (payload: string): string =>
  createHash('sha256').update(payload).digest('base64url').slice(0, CHECKSUM_LENGTH);

const isText = (value: unknown): value is string => typeof value === 'string';
const isPosition = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
