import { stat } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { fitImage } from './fit-image.js';
import type { Size } from './image-size.js';
import type { ImageType } from './image-type.js';
import type { ImageBox } from './media-settings.js';

/** One file of an image, still in its working folder. */
export interface ImageFile extends Size {
  path: string;
  /** What its name ends in before the extension: '' for the original, else `-scaled`, `-rotated` or `-300x225`. */
  suffix: string;
  /** Length in bytes. */
  bytes: number;
}

/** An image with everything that was made of it. */
export interface ImageFiles {
  /** The file that is shown; not the original when that was very large or had to be turned. */
  main: ImageFile;
  original: ImageFile;
  /** Smaller copies by name. */
  sizes: ReadonlyMap<string, ImageFile>;
  isTurned: boolean;
}

/** An image that was just written to its working folder; the orientation is EXIF's, 1 when nothing is to be turned. */
export interface NewImage {
  path: string;
  type: ImageType;
  orientation: number;
}

type MakeSharp = typeof import('sharp').default;

/** Longest side of an image that is shown as it came. */
const LARGEST_SIDE = 2560;
/** Larger images are kept as they came, without copies: they would take too much memory. */
const MOST_PIXELS = 64_000_000;
const SECONDS_PER_COPY = 20;

const ENCODERS: Record<ImageType['kind'], (image: Sharp) => Sharp> = {
  jpeg: (image) => image.jpeg({ quality: 82 }),
  png: (image) => image.png(),
  gif: (image) => image.gif(),
  webp: (image) => image.webp({ quality: 86 }),
  avif: (image) => image.avif({ effort: 2 }),
};

/** The image library, or undefined where it is not installed: images then get no copies. */
export const loadSharp = (): Promise<MakeSharp | undefined> =>
  import('sharp').then(
    (module) => module.default,
    () => undefined,
  );

/** Makes the copies of an image that WordPress would make; what can not be made is left out. */
export async function makeImageFiles(
  image: NewImage,
  boxes: readonly ImageBox[],
  makeSharp: MakeSharp | undefined,
): Promise<ImageFiles> {
  const { width, height } = image.type;
  const original = { path: image.path, suffix: '', width, height, bytes: (await stat(image.path)).size };
  const frames = makeSharp ? await countFrames(makeSharp, image) : 0;
  if (!makeSharp || frames === 0) return { main: original, original, sizes: new Map(), isTurned: false };
  // A copy of a moving image stands still.
  const main = frames > 1 ? original : await mainFile(makeSharp, image, original);
  const sizes = new Map<string, ImageFile>();
  for (const box of boxes) {
    const size = fitImage(main, box);
    const suffix = size && `-${size.width}x${size.height}`;
    const file =
      size && (await copy(makeSharp, image, main.path, { ...size, suffix: suffix ?? '' }, (all) => all));
    if (file) sizes.set(box.name, file);
  }
  return { main, original, sizes, isTurned: main !== original && image.orientation > 1 };
}

/** The image itself, turned upright and brought down to a size for the web. */
async function mainFile(makeSharp: MakeSharp, image: NewImage, original: ImageFile): Promise<ImageFile> {
  const { orientation } = image;
  const upright =
    orientation < 5 ? original : { ...original, width: original.height, height: original.width };
  const smaller = fitImage(upright, { width: LARGEST_SIDE, height: LARGEST_SIDE, crop: false });
  if (!smaller && orientation === 1) return original;
  const wanted = {
    width: (smaller ?? upright).width,
    height: (smaller ?? upright).height,
    suffix: smaller ? '-scaled' : '-rotated',
  };
  const made = await copy(makeSharp, image, image.path, wanted, (all) => all.autoOrient());
  return made ?? original;
}

async function copy(
  makeSharp: MakeSharp,
  { path: originalPath, type }: NewImage,
  from: string,
  { width, height, suffix }: Omit<ImageFile, 'path' | 'bytes'>,
  prepare: (image: Sharp) => Sharp,
): Promise<ImageFile | undefined> {
  const path = `${originalPath}${suffix}`;
  try {
    const image = prepare(makeSharp(from, { limitInputPixels: MOST_PIXELS })).resize(width, height);
    const { size } = await ENCODERS[type.kind](image).timeout({ seconds: SECONDS_PER_COPY }).toFile(path);
    return { path, suffix, width, height, bytes: size };
  } catch {
    return undefined;
  }
}

/** How many frames an image has; 0 when it can not be decoded, or not within bounds. */
async function countFrames(makeSharp: MakeSharp, { path, type }: NewImage): Promise<number> {
  if (type.width * type.height > MOST_PIXELS) return 0;
  try {
    const { format, pages } = await makeSharp(path, { limitInputPixels: MOST_PIXELS }).metadata();
    const isSame = format === type.kind || (format === 'heif' && type.kind === 'avif');
    return isSame ? (pages ?? 1) : 0;
  } catch {
    return 0;
  }
}
