/** What the numbers 128 to 159 mean in Windows-1252, as code points; 0 where they mean nothing. */
export const WINDOWS_1252: readonly number[] = [
  8364, 0, 8218, 402, 8222, 8230, 8224, 8225, 710, 8240, 352, 8249, 338, 0, 381, 0, 0, 8216, 8217, 8220, 8221,
  8226, 8211, 8212, 732, 8482, 353, 8250, 339, 0, 382, 376,
];
