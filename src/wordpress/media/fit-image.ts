import type { Size } from './image-size.js';
import type { ImageBox } from './media-settings.js';

/** The size of an image within a box, or cut to it; undefined when that would not be smaller than the image. */
export function fitImage({ width, height }: Size, box: Omit<ImageBox, 'name'>): Size | undefined {
  const widest = box.width || Number.POSITIVE_INFINITY;
  const highest = box.height || Number.POSITIVE_INFINITY;
  if (box.crop && box.width > 0 && box.height > 0) {
    const cut = { width: Math.min(widest, width), height: Math.min(highest, height) };
    return cut.width < width || cut.height < height ? cut : undefined;
  }
  const scale = Math.min(widest / width, highest / height);
  if (scale >= 1) return undefined;
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
