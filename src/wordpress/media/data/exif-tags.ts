/** The EXIF tags in an attachment's metadata. */
export const EXIF = {
  model: 0x0110,
  orientation: 0x0112,
  artist: 0x013b,
  copyright: 0x8298,
  exposureTime: 0x829a,
  fNumber: 0x829d,
  iso: 0x8827,
  dateTimeDigitized: 0x9004,
  focalLength: 0x920a,
} as const;
