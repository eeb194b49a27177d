/** Something that keeps Almanac from starting and that whoever starts it can mend; shown without a stack trace. */
export class StartError extends Error {}
