/** Rows of a chunk of ids: how many there are, and the sum of their prints. */
interface Digest {
  count: number;
  sum: number;
}

/** What a table's rows add up to, by chunk of ids: chunks whose digests are the same hold the same rows. */
export class ChunkDigests {
  private readonly chunks: Map<number, Digest>;

  /** A copy of another one, or empty. */
  constructor(other?: ChunkDigests) {
    this.chunks = new Map(other?.chunks);
  }

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

  /** Has of some chunks what another one says. */
  replace(chunks: Iterable<number>, other: ChunkDigests): void {
    for (const chunk of chunks) {
      const digest = other.chunks.get(chunk);
      if (digest) this.chunks.set(chunk, digest);
      else this.chunks.delete(chunk);
    }
  }
}
