import type { OutputInfo } from 'sharp';
import sharp from 'sharp';

/** Kinds of image that tests make. */
export type TestImageKind = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif';

/** Creates an image of a size and kind; EXIF data contain the orientation. */
export async function imageBytes(
  kind: TestImageKind,
  width: number,
  height: number,
  { orientation, exif }: { orientation?: number; exif?: Record<string, string> } = {},
): Promise<Buffer> {
  const image = sharp({ create: { width, height, channels: 3, background: { r: 200, g: 80, b: 40 } } });
  const noted = exif ? image.withExif({ IFD0: exif }) : image;
  const turned = orientation ? noted.withMetadata({ orientation }) : noted;
  return turned.toFormat(kind).toBuffer();
}

/** A GIF of two frames. */
export async function movingGif(width: number, height: number): Promise<Buffer> {
  const frame = (red: number) =>
    sharp({ create: { width, height, channels: 3, background: { r: red, g: 0, b: 0 } } })
      .png()
      .toBuffer();
  return sharp([await frame(0), await frame(255)], { join: { animated: true } })
    .gif()
    .toBuffer();
}

/** Width, height and format of a file. */
export async function describeImage(path: string): Promise<Pick<OutputInfo, 'width' | 'height' | 'format'>> {
  const { width, height, format } = await sharp(path).metadata();
  return { width, height, format };
}
