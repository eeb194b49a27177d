import { DENSE_BOXES, STANDARD_BOXES } from './data/image-boxes.js';

/** A box that images are made smaller to fit into; 0 leaves one side free. */
export interface ImageBox {
  name: string;
  width: number;
  height: number;
  /** Cut to the box's shape instead of fitted into it. */
  crop: boolean;
}

/** How a site keeps its uploads. */
export interface MediaSettings {
  /** Whether files go to `YYYY/MM` below the uploads folder. */
  yearMonthFolders: boolean;
  /** The smaller copies of an image, in the order in which its metadata lists them. */
  boxes: readonly ImageBox[];
}

/** Names of the options behind `MediaSettings`. */
export const MEDIA_OPTIONS: readonly string[] = [
  'uploads_use_yearmonth_folders',
  'thumbnail_crop',
  ...STANDARD_BOXES.flatMap(([name]) => [`${name}_size_w`, `${name}_size_h`]),
];

/** Reads the settings; a missing option takes WordPress's default, a size of 0×0 is switched off. */
export function mediaSettings(option: (name: string, fallback?: string) => string): MediaSettings {
  const isOn = (name: string) => !['', '0'].includes(option(name, '1'));
  const pixels = (name: string, fallback: string) =>
    Math.max(0, Number.parseInt(option(name, fallback), 10) || 0);
  const boxes = STANDARD_BOXES.map(([name, width, height]) => ({
    name,
    width: pixels(`${name}_size_w`, width),
    height: pixels(`${name}_size_h`, height),
    crop: name === 'thumbnail' && isOn('thumbnail_crop'),
  }));
  return {
    yearMonthFolders: isOn('uploads_use_yearmonth_folders'),
    boxes: [...boxes.filter(({ width, height }) => width + height > 0), ...DENSE_BOXES],
  };
}
