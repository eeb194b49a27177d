/** So many different characters are told apart. */
const MOST = 0xffff;
const CODE_POINTS = 0x110000;

/** Which characters `LIKE` takes for the same one, as the database says. */
export class CharacterClasses {
  /** Class by code point; 0: not known. */
  private readonly classes = new Uint16Array(CODE_POINTS);
  private readonly byWeight = new Map<string, number>();
  private size = 0;

  /** Code points of the texts that are not known yet; none where there is no room for more. */
  unknownIn(texts: readonly string[]): Set<number> {
    const unknown = new Set<number>();
    if (this.size === MOST) return unknown;
    for (const text of texts)
      for (let at = 0; at < text.length; at++) {
        const code = text.codePointAt(at) ?? 0;
        if (code > 0xffff) at++;
        if (this.classes[code] === 0) unknown.add(code);
      }
    return unknown;
  }

  /** Characters of the same weight are the same to `LIKE`; a weight may be empty. */
  learn(code: number, weight: string | null): void {
    if (weight === null) throw new Error('the server tells no weights of characters');
    if (this.size === MOST) return;
    const known = this.byWeight.get(weight) ?? this.byWeight.size + 1;
    this.byWeight.set(weight, known);
    this.classes[code] = known;
    this.size += 1;
  }

  /**
   * Calls back with a hash for each three neighbours in a text, but for those with an unknown character among them; says
   * whether there was none. Texts that are the same to `LIKE` have the same ones.
   */
  trigrams(text: string, take: (hash: number) => void): boolean {
    let [first, second, isSure] = [0, 0, true];
    for (let at = 0; at < text.length; at++) {
      let code = text.charCodeAt(at);
      if (code >= 0xd800 && code < 0xe000) {
        code = text.codePointAt(at) ?? 0;
        if (code > 0xffff) at++;
      }
      const third = this.classes[code] ?? 0;
      if (third === 0) isSure = false;
      else if (first > 0 && second > 0) take(hashOf(first, second, third));
      first = second;
      second = third;
    }
    return isSure;
  }
}

function hashOf(first: number, second: number, third: number): number {
  const mixed = Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b) ^ third;
  const spread = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
  return (spread ^ (spread >>> 13)) >>> 0;
}
