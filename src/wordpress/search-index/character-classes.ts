const MAX_COUNT = 0xffff;
const CODE_POINTS = 0x110000;
const UNKNOWN = 0;

/** Separators of indexed words: a superset of those of a search's words. */
export const SEPARATORS = ' \t\n\v\f\r",+<>/=()[]{}|#*_`';

/** Classes of characters that `LIKE` treats as equal, by the database's collation. */
export class CharacterClasses {
  /** Class by code point. */
  private readonly classes = new Uint16Array(CODE_POINTS);
  /** The class of each weight, and its first character. */
  private readonly byWeight = new Map<string, { number: number; first: number }>();
  /** Classes with characters that `LIKE` does not treat as equal. */
  private readonly mixed = new Set<number>();
  private lastSeparator = UNKNOWN;
  private size = 0;
  private spelled = new Uint16Array(1024);

  /** The unknown code points of texts; none once the maximum is reached. */
  unknownIn(texts: readonly string[]): Set<number> {
    const unknown = new Set<number>();
    if (this.size === MAX_COUNT) return unknown;
    for (const text of texts)
      for (let at = 0; at < text.length; at++) {
        const code = text.codePointAt(at) ?? 0;
        if (code > 0xffff) at++;
        if (this.classes[code] === UNKNOWN) unknown.add(code);
      }
    return unknown;
  }

  /** Adds a character to the class of its weight, which may be empty; returns the first character of the class. */
  learn(code: number, weight: string | null): number {
    if (weight === null) throw new Error('the server returns no weights of characters');
    if (this.size === MAX_COUNT) return code;
    const known = this.byWeight.get(weight) ?? { number: this.byWeight.size + 1, first: code };
    this.byWeight.set(weight, known);
    this.classes[code] = known.number;
    this.size += 1;
    return known.first;
  }

  /** Declares all characters so far as separators. */
  separateWords(): void {
    this.lastSeparator = this.byWeight.size;
  }

  /** Marks the class of a character that `LIKE` distinguishes from others of it. */
  mix(code: number): void {
    this.mixed.add(this.classes[code] ?? UNKNOWN);
  }

  /** The classes of a text's characters, 0 for unknown ones; valid until the next call. */
  spell(text: string): Uint16Array {
    const { classes } = this;
    if (this.spelled.length < text.length) this.spelled = new Uint16Array(2 * text.length);
    const { spelled } = this;
    let length = 0;
    for (let at = 0; at < text.length; at++) {
      let code = text.charCodeAt(at);
      if (code >= 0xd800 && code < 0xe000) {
        code = text.codePointAt(at) ?? 0;
        if (code > 0xffff) at++;
      }
      spelled[length++] = classes[code] ?? UNKNOWN;
    }
    return spelled.subarray(0, length);
  }

  /** Whether a class separates words: separators and unknown characters do. */
  separates(number: number): boolean {
    return number <= this.lastSeparator;
  }

  /** Whether `LIKE` treats all characters of a class as equal. */
  isPure(number: number): boolean {
    return !this.mixed.has(number);
  }
}
