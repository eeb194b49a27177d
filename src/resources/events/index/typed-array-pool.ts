/** Room beyond what is asked for, so that an index which grows by some events finds it again. */
const SLACK = 1 / 64;

export type Numbers = Float64Array | Uint32Array | Int32Array;
type Make<T extends Numbers> = new (buffer: ArrayBufferLike, from: number, length: number) => T;

/**
 * Memory of arrays that nobody reads any more, to be written anew. Left to the garbage collector, the columns of indexes that
 * follow each other every second would pile up until it looks at the old generation.
 */
export class TypedArrayPool {
  private readonly free: Set<ArrayBufferLike>;

  /** None of these may be read any more. */
  constructor(arrays: readonly Numbers[] = []) {
    this.free = new Set(arrays.map(({ buffer }) => buffer));
  }

  /** An array of so many numbers, whatever they are: all of them have to be written. */
  take<T extends Numbers>(make: Make<T> & { BYTES_PER_ELEMENT: number }, length: number): T {
    const bytes = length * make.BYTES_PER_ELEMENT;
    for (const buffer of this.free) {
      if (buffer.byteLength < bytes || buffer.byteLength > 2 * bytes) continue;
      this.free.delete(buffer);
      return new make(buffer, 0, length);
    }
    const room = Math.ceil(length * (1 + SLACK)) * make.BYTES_PER_ELEMENT;
    return new make(new ArrayBuffer(room), 0, length);
  }
}
