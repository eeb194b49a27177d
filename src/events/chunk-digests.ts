/** Rows of a chunk of ids: how many there are, and the sum of their prints. */
interface Digest {
  count: number;
  sum: number;
}

/** What a table's rows add up to, by chunk of ids: chunks whose digests are the same hold the same rows. */
export class ChunkDigests {
  private readonly chunks = new Map<number, Digest>();

  /** Notes what the database says of a chunk. */
  set(chunk: number, digest: Digest): void {
    this.chunks.set(chunk, digest);
  }

  /** Adds one row. Prints are below 2^32: sums stay exact for two million rows. */
  add(chunk: number, print: number): void {
    const { count, sum } = this.chunks.get(chunk) ?? { count: 0, sum: 0 };
    this.chunks.set(chunk, { count: count + 1, sum: sum + print });
  }

  /** How many rows there are. */
  get total(): number {
    return [...this.chunks.values()].reduce((sum, { count }) => sum + count, 0);
  }

  /** How many rows a chunk has. */
  count(chunk: number): number {
    return this.chunks.get(chunk)?.count ?? 0;
  }

  /** The chunks that hold other rows here than there. */
  differing(other: ChunkDigests): number[] {
    const all = new Set([...this.chunks.keys(), ...other.chunks.keys()]);
    return [...all].filter((chunk) => {
      const [one, two] = [this.chunks.get(chunk), other.chunks.get(chunk)];
      return one?.count !== two?.count || one?.sum !== two?.sum;
    });
  }

  /** The same, but of some chunks what another one says. */
  with(chunks: Iterable<number>, other: ChunkDigests): ChunkDigests {
    const all = new ChunkDigests();
    for (const [chunk, digest] of this.chunks) all.set(chunk, digest);
    for (const chunk of chunks) {
      const digest = other.chunks.get(chunk);
      if (digest) all.set(chunk, digest);
      else all.chunks.delete(chunk);
    }
    return all;
  }
}
