/** Rows of a chunk of ids: their number, and the sum of their checksums. */
interface Digest {
  count: number;
  sum: number;
}

/** Digests of a table by chunk of ids: chunks with the same digest hold the same rows. */
export class ChunkDigests {
  private readonly chunks = new Map<number, Digest>();

  /** A copy of another one, or empty. */
  constructor(other?: ChunkDigests) {
    for (const [chunk, digest] of other?.chunks ?? []) this.set(chunk, digest);
  }

  set(chunk: number, { count, sum }: Digest): void {
    this.chunks.set(chunk, { count, sum });
  }

  /** Adds one row. Checksums are below 2^32: sums stay exact for two million rows. */
  add(chunk: number, checksum: number): void {
    const digest = this.chunks.get(chunk) ?? { count: 0, sum: 0 };
    digest.count += 1;
    digest.sum += checksum;
    this.chunks.set(chunk, digest);
  }

  /** The number of rows. */
  get total(): number {
    return [...this.chunks.values()].reduce((sum, { count }) => sum + count, 0);
  }

  /** The number of rows of a chunk. */
  count(chunk: number): number {
    return this.chunks.get(chunk)?.count ?? 0;
  }

  /** The chunks whose digests differ. */
  differing(other: ChunkDigests): number[] {
    const all = new Set([...this.chunks.keys(), ...other.chunks.keys()]);
    return [...all].filter((chunk) => {
      const [one, two] = [this.chunks.get(chunk), other.chunks.get(chunk)];
      return one?.count !== two?.count || one?.sum !== two?.sum;
    });
  }

  /** Takes the digests of some chunks from another one. */
  replace(chunks: Iterable<number>, other: ChunkDigests): void {
    for (const chunk of chunks) {
      const digest = other.chunks.get(chunk);
      if (digest) this.set(chunk, digest);
      else this.chunks.delete(chunk);
    }
  }
}
