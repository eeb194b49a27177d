import { read } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** File systems that are memory. */
const IN_MEMORY = new Set([0x01021994, 0x858458f6]);
/** The share of what is free on the disk that may be taken. */
const SHARE = 0.5;

/** How many bytes may be put into a folder; none where it lies in memory. */
export async function roomIn(folder: string): Promise<number> {
  const { type, bavail, bsize } = await statfs(folder);
  return IN_MEMORY.has(type) ? 0 : bavail * bsize * SHARE;
}

/** A text as it is put there. */
export interface NewText {
  id: number;
  version: number;
  bytes: Buffer;
}

/** Texts that lie so near to each other, in bytes, are read at once. */
const NEAR = 8192;
/** Bytes of buffers that are kept for who reads next, and how many. */
const BUFFER_POOL_SIZE = 128 * 1024;
const SPARES = 8;

/** A part of the file, and where it is read to. */
interface Part {
  start: number;
  end: number;
  at: number;
  isRead: boolean;
}

/** Texts by number in a file without a name, which only this process knows and which is gone when it ends; each has a version, in memory. */
export class AppendOnlyFileStore {
  private readonly slots = new Map<number, number>();
  // A column each: an object for each text would take three times as much memory.
  private readonly starts: number[] = [];
  private readonly lengths: number[] = [];
  private readonly versions: number[] = [];
  private end = 0;
  private deadBytes = 0;
  private readers = 0;
  private readonly spares: Buffer[] = [];
  private isClosed = false;

  private constructor(
    private readonly file: FileHandle,
    private readonly most: number,
  ) {}

  /** An empty one, of so many bytes at most, in a folder. */
  static async open(most: number, parent: string): Promise<AppendOnlyFileStore> {
    const folder = await mkdtemp(join(parent, 'almanac-texts-'));
    try {
      return new AppendOnlyFileStore(await open(join(folder, 'texts'), 'wx+', 0o600), most);
    } finally {
      // An open file stays until it is closed; where a system does not let it go, it lies in the folder for temporary files.
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  get size(): number {
    return this.slots.size;
  }

  /** Whether much of it is texts that were deleted or replaced. */
  get needsCompaction(): boolean {
    return this.deadBytes > this.most / 4;
  }

  has(id: number): boolean {
    return this.slots.has(id);
  }

  /** What is made of those that are there, in any order; what can not be read is not. The bytes are used for others afterwards. */
  async get<T>(
    ids: readonly number[],
    make: (id: number, version: number, bytes: Buffer, place: number) => T,
  ): Promise<T[]> {
    const there: { id: number; start: number; length: number; version: number }[] = [];
    for (const id of ids) {
      const slot = this.slots.get(id);
      if (slot === undefined) continue;
      const [length = 0, version = 0] = [this.lengths[slot], this.versions[slot]];
      there.push({ id, start: this.starts[slot] ?? 0, length, version });
    }
    if (there.length === 0) return [];
    there.sort((a, b) => a.start - b.start);
    const parts: Part[] = [];
    let last: Part | undefined;
    let total = 0;
    const places = there.map(({ start, length }) => {
      const end = start + length;
      if (last && start - last.end <= NEAR) {
        total += end - last.end;
        last.end = end;
      } else {
        last = { start, end, at: total, isRead: false };
        parts.push(last);
        total += length;
      }
      return { part: last, from: last.at + start - last.start };
    });
    const buffer = await this.read(parts, total);
    const made = there.flatMap(({ id, start, length, version }, at) => {
      const { part, from = 0 } = places[at] ?? {};
      return part?.isRead ? [make(id, version, buffer.subarray(from, from + length), start)] : [];
    });
    if (buffer.length === BUFFER_POOL_SIZE && this.spares.length < SPARES) this.spares.push(buffer);
    return made;
  }

  /** Says whether there was room. */
  async add(texts: readonly NewText[]): Promise<boolean> {
    const all = Buffer.concat(texts.map(({ bytes }) => bytes));
    let start = this.end;
    if (this.isClosed || start + all.length > this.most) return false;
    // Whoever else adds something meanwhile puts it behind.
    this.end += all.length;
    const { bytesWritten } = await this.busy(() => this.file.write(all, 0, all.length, start));
    if (bytesWritten < all.length) throw new Error('the disk is full');
    for (const { id, version, bytes } of texts) {
      this.delete(id);
      this.slots.set(id, this.starts.length);
      this.starts.push(start);
      this.lengths.push(bytes.length);
      this.versions.push(version);
      start += bytes.length;
    }
    return true;
  }

  /** The text that was found at that place is as good as one of that version. */
  renew(id: number, place: number, version: number): void {
    const slot = this.slots.get(id) ?? -1;
    if (this.starts[slot] === place) this.versions[slot] = Math.max(version, this.versions[slot] ?? 0);
  }

  /** Forgets a text, unless another one than was found at that place is there by now. */
  delete(id: number, place = this.starts[this.slots.get(id) ?? -1]): void {
    const slot = this.slots.get(id);
    if (slot === undefined || this.starts[slot] !== place) return;
    this.deadBytes += this.lengths[slot] ?? 0;
    this.slots.delete(id);
  }

  /** Nothing is there any more; the file goes once nobody reads it. */
  async close(): Promise<void> {
    this.slots.clear();
    this.isClosed = true;
    await this.ended();
  }

  private async read(parts: readonly Part[], total: number): Promise<Buffer> {
    const spare = total <= BUFFER_POOL_SIZE ? this.spares.pop() : undefined;
    const buffer = spare ?? Buffer.allocUnsafeSlow(Math.max(total, BUFFER_POOL_SIZE));
    const { fd } = this.file;
    let left = parts.length;
    await this.busy(
      () =>
        new Promise<void>((resolve) => {
          // Promises of the file system cost twice as much.
          for (const part of parts)
            read(fd, buffer, part.at, part.end - part.start, part.start, (error, count) => {
              part.isRead = !error && count === part.end - part.start;
              left -= 1;
              if (left === 0) resolve();
            });
        }),
    );
    return buffer;
  }

  private async busy<T>(work: () => Promise<T>): Promise<T> {
    this.readers += 1;
    try {
      return await work();
    } finally {
      this.readers -= 1;
      await this.ended();
    }
  }

  private async ended(): Promise<void> {
    // Whatever it says, nobody needs the file any more.
    if (this.isClosed && this.readers === 0) await this.file.close().catch(() => undefined);
  }
}
