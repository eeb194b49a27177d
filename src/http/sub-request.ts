import type { Duplex } from 'node:stream';

/** How a request within another one is handled. */
export interface SubRequestKind {
  /** Whether it ends before it writes. */
  validatesOnly: boolean;
}

const kinds = new WeakMap<Duplex, SubRequestKind>();

/** Marks the connection of a request that is part of another one. */
export function markSubRequest(connection: Duplex, kind: SubRequestKind): void {
  kinds.set(connection, kind);
}

/** How a request is handled that is part of another one; undefined for others. */
export function subRequestKind({ socket }: { socket: Duplex }): SubRequestKind | undefined {
  return kinds.get(socket);
}
