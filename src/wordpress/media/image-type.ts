/** Stored width and height in pixels, before any rotation. */
export interface Size {
  width: number;
  height: number;
}

/** The maximum of segments or boxes, against hostile files. */
const MAX_PARTS = 5000;

/** Yields the segments of a JPEG file before its image data. */
export function* jpegSegments(bytes: Buffer): Generator<{ marker: number; start: number; end: number }> {
  let at = 2;
  for (let parts = 0; parts < MAX_PARTS && at + 4 <= bytes.length && bytes[at] === 0xff; parts++) {
    const marker = bytes[at + 1] ?? 0;
    // Fill bytes and markers without contents.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else {
      const length = bytes.readUInt16BE(at + 2);
      if (length < 2 || marker === 0xd9 || marker === 0xda) return;
      yield { marker, start: at + 4, end: at + 2 + length };
      at += 2 + length;
    }
  }
}

/** The size in the first frame header: `SOF0` to `SOF15` except three other markers. */
function jpegSize(bytes: Buffer): Size | undefined {
  for (const { marker, start } of jpegSegments(bytes))
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      if (start + 5 > bytes.length) return undefined;
      return { width: bytes.readUInt16BE(start + 3), height: bytes.readUInt16BE(start + 1) };
    }
  return undefined;
}

/** The size in the header chunk, the first one. */
function pngSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 24 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** The size of the logical screen. */
function gifSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 10) return undefined;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** The size in the first chunk: `VP8 ` (lossy), `VP8L` (lossless) or `VP8X` (extended). */
function webpSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 30) return undefined;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

/** The path of boxes to the sizes, with the length of each one's own header. */
const PATH = [
  { name: 'meta', head: 4 },
  { name: 'iprp', head: 0 },
  { name: 'ipco', head: 0 },
] as const;

/** The largest size in the properties, as tiles, previews and masks are smaller than the image. */
function avifSize(bytes: Buffer): Size | undefined {
  let boxes = boxesIn(bytes, [{ start: 0, end: bytes.length }]);
  for (const { name, head } of PATH) {
    const held = boxes.filter((box) => box.name === name);
    const contents = held.map(({ start, end }) => ({ start: start + head, end }));
    boxes = boxesIn(bytes, contents);
  }
  return boxes
    .filter(({ name, start, end }) => name === 'ispe' && start + 12 <= end)
    .map(({ start }) => ({ width: bytes.readUInt32BE(start + 4), height: bytes.readUInt32BE(start + 8) }))
    .reduce<Size | undefined>((best, size) => (!best || area(size) > area(best) ? size : best), undefined);
}

const area = ({ width, height }: Size) => width * height;

/** A byte range of consecutive boxes. */
interface Contents {
  start: number;
  end: number;
}

/** The boxes in ranges; none if there are too many. */
function boxesIn(bytes: Buffer, whole: readonly Contents[]): (Contents & { name: string })[] {
  const boxes: (Contents & { name: string })[] = [];
  for (const { start, end: to } of whole)
    for (let at = start; at + 8 <= to; ) {
      const length = bytes.readUInt32BE(at);
      if (length < 8) break;
      const end = Math.min(to, at + length);
      boxes.push({ name: bytes.toString('latin1', at + 4, at + 8), start: at + 8, end });
      if (boxes.length > MAX_PARTS) return [];
      at += length;
    }
  return boxes;
}

export interface ImageType extends Size {
  /** By sharp's name. */
  kind: 'jpeg' | 'png' | 'gif' | 'webp' | 'avif';
  mimeType: string;
  /** File name extensions, the usual one first. */
  extensions: readonly [string, ...string[]];
}

const FORMATS: readonly (Pick<ImageType, 'kind' | 'extensions'> & {
  /** Matches the first bytes, as Latin-1. */
  magic: RegExp;
  size: (bytes: Buffer) => Size | undefined;
})[] = [
  { kind: 'jpeg', extensions: ['jpg', 'jpeg', 'jpe'], magic: /^\xff\xd8\xff/, size: jpegSize },
  { kind: 'png', extensions: ['png'], magic: /^\x89PNG\r\n\x1a\n/, size: pngSize },
  { kind: 'gif', extensions: ['gif'], magic: /^GIF8[79]a/, size: gifSize },
  { kind: 'webp', extensions: ['webp'], magic: /^RIFF.{4}WEBP/s, size: webpSize },
  // The major brand, its version, then compatible brands, four bytes each.
  { kind: 'avif', extensions: ['avif'], magic: /^.{4}ftyp(?:.{4})*?avi[fs]/s, size: avifSize },
];

/** Detects the type and size from the bytes; undefined for other files, also SVG and HTML. */
export function imageType(bytes: Buffer): ImageType | undefined {
  const head = bytes.toString('latin1', 0, 256);
  // The brands of AVIF end with the first box.
  const brands = bytes.length < 12 ? '' : head.slice(0, bytes.readUInt32BE(0));
  const format = FORMATS.find(({ kind, magic }) => magic.test(kind === 'avif' ? brands : head));
  const size = format?.size(bytes);
  if (!format || !size || size.width < 1 || size.height < 1) return undefined;
  const { kind, extensions } = format;
  return { kind, mimeType: `image/${kind}`, extensions, ...size };
}

/** The type of an image file by its extension. */
export function mimeTypeOf(extension: string): string {
  const format = FORMATS.find(({ extensions }) => extensions.includes(extension.toLowerCase()));
  return format ? `image/${format.kind}` : 'application/octet-stream';
}
