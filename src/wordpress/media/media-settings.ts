/** The sizes with options and their defaults, in the order of an image's metadata. */
const STANDARD_BOXES = [
  ['medium', '300', '300'],
  ['large', '1024', '1024'],
  ['thumbnail', '150', '150'],
  ['medium_large', '768', '0'],
] as const;

/** The sizes for high-density screens, which have no options. */
const DENSE_BOXES = [
  { name: '1536x1536', width: 1536, height: 1536, crop: false },
  { name: '2048x2048', width: 2048, height: 2048, crop: false },
] as const;

/** A named image size; 0 leaves a side unlimited. */
export interface ImageBox {
  name: string;
  width: number;
  height: number;
  /** Whether to crop to the exact size instead of fitting. */
  crop: boolean;
}

export interface MediaSettings {
  /** Whether files are stored in `YYYY/MM`. */
  yearMonthFolders: boolean;
  /** The copies of an image, in the order of its metadata. */
  boxes: readonly ImageBox[];
}

export const MEDIA_OPTIONS: readonly string[] = [
  'uploads_use_yearmonth_folders',
  'thumbnail_crop',
  ...STANDARD_BOXES.flatMap(([name]) => [`${name}_size_w`, `${name}_size_h`]),
];

/** Reads the settings; missing options have WordPress's defaults, a size of 0×0 is disabled. */
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
