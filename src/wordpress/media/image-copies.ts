import { stat } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import type { ImageType, Size } from './image-type.js';
import type { ImageBox } from './media-settings.js';

/** A file of an image in its working folder. */
export interface ImageFile extends Size {
  path: string;
  /** The suffix before the extension: '' for the original, else `-scaled`, `-rotated` or `-300x225`. */
  suffix: string;
  bytes: number;
}

export interface ImageFiles {
  /** The displayed file; a copy when the original is very large or rotated. */
  main: ImageFile;
  original: ImageFile;
  /** Smaller copies by name. */
  sizes: ReadonlyMap<string, ImageFile>;
  isTurned: boolean;
}

/** A downloaded image; the orientation is EXIF's, 1 for upright. */
export interface NewImage {
  path: string;
  type: ImageType;
  orientation: number;
}

type MakeSharp = typeof import('sharp').default;

/** The maximum side of a displayed original, in pixels. */
const LARGEST_SIDE = 2560;
/** Larger images get no copies. */
const MAX_PIXELS = 64_000_000;
const LIMITS = { limitInputPixels: MAX_PIXELS };
/** The memory limit for copying one image, as a few kilobytes may decode to millions of pixels. */
const MAX_BYTES = 320_000_000;
/** Measured bytes per pixel; few for formats decoded line by line. */
const PIXEL_BYTES = { jpeg: 2, png: 2, webp: 5, gif: 9, avif: 19 };
const PROGRESSIVE_PIXEL_BYTES = 10;
const SECONDS_PER_COPY = 20;

const ENCODERS: Record<ImageType['kind'], (image: Sharp) => Sharp> = {
  jpeg: (image) => image.jpeg({ quality: 82 }),
  png: (image) => image.png(),
  gif: (image) => image.gif(),
  webp: (image) => image.webp({ quality: 86 }),
  avif: (image) => image.avif({ effort: 2 }),
};

/** Loads sharp; undefined if it is not installed: images then get no copies. */
export const loadSharp = (): Promise<MakeSharp | undefined> =>
  import('sharp').then(({ default: sharp }) => sharp).catch(() => undefined);

/** Creates the copies that WordPress would create, omitting those that fail. */
export async function makeImageFiles(
  image: NewImage,
  boxes: readonly ImageBox[],
  makeSharp: MakeSharp | undefined,
): Promise<ImageFiles> {
  const { width, height } = image.type;
  const original = { path: image.path, suffix: '', width, height, bytes: (await stat(image.path)).size };
  const withoutCopies = { main: original, original, sizes: new Map<string, ImageFile>(), isTurned: false };
  const frames = makeSharp ? await countFrames(makeSharp, image) : 0;
  if (!makeSharp || frames === 0) return withoutCopies;
  const isTurned = image.orientation > 1;
  const upright = image.orientation < 5 ? original : { ...original, width: height, height: width };
  // Copies of an animated image would not be animated.
  const main = frames > 1 ? original : await mainFile(makeSharp, image, upright);
  if (!main) return withoutCopies;
  const sizes = new Map<string, ImageFile>();
  for (const box of boxes) {
    // Based on the original, whose aspect ratio is not rounded.
    const size = fitImage(upright, box);
    if (!size) continue;
    const source = makeSharp(main.path, LIMITS);
    const copy = await save(source, image, { ...size, suffix: `-${size.width}x${size.height}` });
    if (!copy) break;
    sizes.set(box.name, copy);
  }
  return { main, original, sizes, isTurned };
}

/** The displayed file, rotated upright and scaled down for the web; undefined on failure. */
async function mainFile(makeSharp: MakeSharp, image: NewImage, upright: ImageFile) {
  const smaller = fitImage(upright, { width: LARGEST_SIDE, height: LARGEST_SIDE, crop: false });
  if (!smaller && image.orientation === 1) return upright;
  const { width, height } = smaller ?? upright;
  const source = makeSharp(image.path, LIMITS).autoOrient();
  return save(source, image, { width, height, suffix: smaller ? '-scaled' : '-rotated' });
}

async function save(
  source: Sharp,
  { path: originalPath, type }: NewImage,
  { width, height, suffix }: Pick<ImageFile, 'width' | 'height' | 'suffix'>,
): Promise<ImageFile | undefined> {
  const path = `${originalPath}${suffix}`;
  try {
    const image = ENCODERS[type.kind](source.resize(width, height)).timeout({ seconds: SECONDS_PER_COPY });
    return { path, suffix, width, height, bytes: (await image.toFile(path)).size };
  } catch {
    return undefined;
  }
}

/** The number of frames; 0 when the image cannot be decoded within the limits. */
async function countFrames(makeSharp: MakeSharp, { path, type }: NewImage): Promise<number> {
  const pixels = type.width * type.height;
  if (pixels > MAX_PIXELS) return 0;
  try {
    const { format, pages, isProgressive } = await makeSharp(path, LIMITS).metadata();
    const isSame = format === type.kind || (format === 'heif' && type.kind === 'avif');
    const bytes = Math.max(PIXEL_BYTES[type.kind], isProgressive ? PROGRESSIVE_PIXEL_BYTES : 0);
    return isSame && pixels * bytes <= MAX_BYTES ? (pages ?? 1) : 0;
  } catch {
    return 0;
  }
}

/** The size of an image fitted into a box, or cropped; undefined unless it is smaller than the image. */
export function fitImage({ width, height }: Size, box: Omit<ImageBox, 'name'>): Size | undefined {
  const widest = box.width || Number.POSITIVE_INFINITY;
  const highest = box.height || Number.POSITIVE_INFINITY;
  if (box.crop && box.width > 0 && box.height > 0) {
    const cropped = { width: Math.min(widest, width), height: Math.min(highest, height) };
    return cropped.width < width || cropped.height < height ? cropped : undefined;
  }
  const scale = Math.min(widest / width, highest / height);
  if (scale >= 1) return undefined;
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
