/** The sizes with options and their defaults, in the order of an image's metadata. */
export const STANDARD_BOXES = [
  ['medium', '300', '300'],
  ['large', '1024', '1024'],
  ['thumbnail', '150', '150'],
  ['medium_large', '768', '0'],
] as const;

/** The sizes for high-density screens, which have no options. */
export const DENSE_BOXES = [
  { name: '1536x1536', width: 1536, height: 1536, crop: false },
  { name: '2048x2048', width: 2048, height: 2048, crop: false },
] as const;
