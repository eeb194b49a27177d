import { avifSize, gifSize, jpegSize, pngSize, type Size, webpSize } from './image-size.js';

/** The supported image types, by sharp's names. */
export type ImageKind = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif';

/** The type and size of an image. */
export interface ImageType extends Size {
  kind: ImageKind;
  mimeType: string;
  /** File name extensions, the usual one first. */
  extensions: readonly [string, ...string[]];
}

interface Format {
  kind: ImageKind;
  extensions: readonly [string, ...string[]];
  matches: (bytes: Buffer) => boolean;
  size: (bytes: Buffer) => Size | undefined;
}

const text = (bytes: Buffer, start: number, end: number) => bytes.toString('latin1', start, end);

const FORMATS: readonly Format[] = [
  {
    kind: 'jpeg',
    extensions: ['jpg', 'jpeg', 'jpe'],
    matches: (bytes) => text(bytes, 0, 3) === '\xff\xd8\xff',
    size: jpegSize,
  },
  {
    kind: 'png',
    extensions: ['png'],
    matches: (bytes) => text(bytes, 0, 8) === '\x89PNG\r\n\x1a\n',
    size: pngSize,
  },
  {
    kind: 'gif',
    extensions: ['gif'],
    matches: (bytes) => /^GIF8[79]a$/.test(text(bytes, 0, 6)),
    size: gifSize,
  },
  {
    kind: 'webp',
    extensions: ['webp'],
    matches: (bytes) => text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP',
    size: webpSize,
  },
  {
    kind: 'avif',
    extensions: ['avif'],
    // The major brand, its version, then compatible brands, four bytes each.
    matches: (bytes) => /^ftyp(?:....)*?avi[fs]/s.test(text(bytes, 4, firstBoxEnd(bytes))),
    size: avifSize,
  },
];

/** Detects the type and size from the bytes; undefined for other files, also SVG and HTML. */
export function imageType(bytes: Buffer): ImageType | undefined {
  const format = FORMATS.find(({ matches }) => matches(bytes));
  const size = format?.size(bytes);
  if (!format || !size || size.width < 1 || size.height < 1) return undefined;
  const { kind, extensions } = format;
  return { kind, mimeType: `image/${kind}`, extensions, ...size };
}

function firstBoxEnd(bytes: Buffer): number {
  return bytes.length < 12 ? 0 : Math.min(256, bytes.readUInt32BE(0));
}
