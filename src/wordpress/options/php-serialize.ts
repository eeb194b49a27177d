/** A PHP array: keys are integers or strings, in insertion order. */
export type PhpArray = Map<string | number, PhpValue>;

/** A PHP float, kept apart from an integer so that writing back loses nothing. */
export class PhpFloat {
  constructor(readonly value: number) {}
}

/** A value out of PHP's `serialize()`. */
export type PhpValue = null | boolean | number | string | PhpFloat | PhpArray;
