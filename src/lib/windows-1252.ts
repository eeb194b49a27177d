/** The characters of bytes 128 to 159 in Windows-1252; unassigned bytes are control characters, as in MySQL's latin1. */
export const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
