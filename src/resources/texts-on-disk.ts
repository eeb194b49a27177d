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

/** What is read of the disk. */
export interface TextOnDisk {
  version: number;
  bytes: Buffer;
}

/** What is put there. */
export interface NewText extends TextOnDisk {
  id: number;
}

/** Texts by number in a file without a name, which only this process knows and which is gone when it ends; each has a version, in memory. */
export class TextsOnDisk {
  private readonly slots = new Map<number, number>();
  // A column each: an object for each text would take three times as much memory.
  private readonly starts: number[] = [];
  private readonly lengths: number[] = [];
  private readonly versions: number[] = [];
  private end = 0;
  private gone = 0;
  private readers = 0;
  private isClosed = false;

  private constructor(
    private readonly file: FileHandle,
    private readonly most: number,
  ) {}

  /** An empty one, of so many bytes at most, in a folder. */
  static async open(most: number, parent: string): Promise<TextsOnDisk> {
    const folder = await mkdtemp(join(parent, 'almanac-texts-'));
    try {
      return new TextsOnDisk(await open(join(folder, 'texts'), 'wx+', 0o600), most);
    } finally {
      // An open file stays until it is closed; where a system does not let it go, it lies in the folder for temporary files.
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  get size(): number {
    return this.slots.size;
  }

  /** Whether most of it is texts that were deleted or replaced. */
  get isWorn(): boolean {
    return this.gone > this.most / 2;
  }

  has(id: number): boolean {
    return this.slots.has(id);
  }

  /** Those of these that are there; what can not be read is not. */
  async get(ids: readonly number[]): Promise<Map<number, TextOnDisk>> {
    const found = this.isClosed ? [] : ids.flatMap((id) => ({ id, slot: this.slots.get(id) ?? -1 }));
    const there = found.filter(({ slot }) => slot >= 0);
    const length = (slot: number) => this.lengths[slot] ?? 0;
    const buffer = Buffer.allocUnsafe(there.reduce((sum, { slot }) => sum + length(slot), 0));
    let end = 0;
    const reading = there.map(async ({ id, slot }) => {
      const bytes = buffer.subarray(end, end + length(slot));
      end += bytes.length;
      const version = this.versions[slot] ?? 0;
      const isWhole = await this.fill(bytes, this.starts[slot] ?? 0);
      return isWhole ? [[id, { version, bytes }] as const] : [];
    });
    return new Map((await Promise.all(reading)).flat());
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

  /** The text is as good as one of that version. */
  renew(id: number, version: number): void {
    const slot = this.slots.get(id);
    if (slot !== undefined) this.versions[slot] = Math.max(version, this.versions[slot] ?? 0);
  }

  delete(id: number): void {
    const slot = this.slots.get(id);
    if (slot === undefined) return;
    this.gone += this.lengths[slot] ?? 0;
    this.slots.delete(id);
  }

  /** Nothing is there any more; the file goes once nobody reads it. */
  async close(): Promise<void> {
    this.slots.clear();
    this.isClosed = true;
    await this.ended();
  }

  private async fill(bytes: Buffer, start: number): Promise<boolean> {
    return this.busy(
      () =>
        new Promise<boolean>((resolve) => {
          // Promises of the file system cost twice as much.
          read(this.file.fd, bytes, 0, bytes.length, start, (error, count) =>
            resolve(!error && count === bytes.length),
          );
        }),
    );
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
    if (this.isClosed && this.readers === 0) await this.file.close();
  }
}
