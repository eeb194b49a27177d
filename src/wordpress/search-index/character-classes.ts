/** So many different characters are told apart. */
const MAX_COUNT = 0xffff;
const CODE_POINTS = 0x110000;
/** What no classes are known of. */
const UNKNOWN = 0;

/** What separates the words that are indexed: all that separates those of a search does. */
export const SEPARATORS = ' \t\n\v\f\r",+<>/=()[]{}|#*_`';

/** Which characters `LIKE` takes for the same one, as the database says. */
export class CharacterClasses {
  /** Class by code point. */
  private readonly classes = new Uint16Array(CODE_POINTS);
  /** Of each weight its class, and the character that was the first of it. */
  private readonly byWeight = new Map<string, { number: number; first: number }>();
  /** Classes of which not all characters are the same one to `LIKE`. */
  private readonly mixed = new Set<number>();
  private lastSeparator = UNKNOWN;
  private size = 0;
  private spelled = new Uint16Array(1024);

  /** Code points of the texts that are not known yet; none where there is no room for more. */
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

  /** Characters of the same weight are in one class; a weight may be empty. Answers the first character of the class. */
  learn(code: number, weight: string | null): number {
    if (weight === null) throw new Error('the server tells no weights of characters');
    if (this.size === MAX_COUNT) return code;
    const known = this.byWeight.get(weight) ?? { number: this.byWeight.size + 1, first: code };
    this.byWeight.set(weight, known);
    this.classes[code] = known.number;
    this.size += 1;
    return known.first;
  }

  /** Says that all characters that are known so far separate words. */
  separateWords(): void {
    this.lastSeparator = this.byWeight.size;
  }

  /** Notes that `LIKE` tells a character from others of its class. */
  mix(code: number): void {
    this.mixed.add(this.classes[code] ?? UNKNOWN);
  }

  /** A text with each character as its class, until the next one is spelled; with a 0 for what is not known. */
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

  /** Whether a class stands between words: one of a separator, or that of what is not known. */
  separates(number: number): boolean {
    return number <= this.lastSeparator;
  }

  /** Whether all characters of a class are the same one to `LIKE`. */
  isPure(number: number): boolean {
    return !this.mixed.has(number);
  }
}
