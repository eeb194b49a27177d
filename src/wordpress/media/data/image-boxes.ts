/** The copies that have options, in the order in which an image's metadata lists them, with their sizes by default. */
export const STANDARD_BOXES = [
  ['medium', '300', '300'],
  ['large', '1024', '1024'],
  ['thumbnail', '150', '150'],
  ['medium_large', '768', '0'],
] as const;

/** Copies for screens of high density, which have no options and come last. */
export const DENSE_BOXES = [
  { name: '1536x1536', width: 1536, height: 1536, crop: false },
  { name: '2048x2048', width: 2048, height: 2048, crop: false },
] as const;
