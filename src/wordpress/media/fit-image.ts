import type { Size } from './image-size.js';
import type { ImageBox } from './media-settings.js';

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
